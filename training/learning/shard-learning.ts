import { dirname, resolve } from 'node:path';
import { makeOutputFolder } from '../../data/files/output-folder.js';
import { listShardsOfDatasets } from '../../data/datasets/dataset-folder.js';
import type { ListingObserver } from '../../data/shards/shard.js';
import { ReplayWindow } from '../../data/datasets/replay-window.js';
import type { Game } from '../../env/game.js';
import { checkNamedParts } from '../checkpoints/checkpoint-fit.js';
import type { NamedParts } from '../config/named-parts.js';
import type { Checkpoint } from '../checkpoints/checkpoint.js';
import { expectNewCheckpoint, readCheckpoint, writeCheckpoint } from '../checkpoints/checkpoint-folder.js';
import { growCheckpoint } from '../checkpoints/grown-checkpoint.js';
import { digestOfConfig } from '../config/config-file.js';
import type { ReplayConfig } from '../config/groups/replay-config.js';
import type { RunConfig } from '../config/run-config.js';
import type { LearnStatistics } from './learn-statistics.js';
import type { LearnOptions } from './learner.js';
import { stepsFor } from './learner-steps.js';
import { firstCheckpoint, learnNextCheckpoint, type NextCheckpoint } from './next-checkpoint.js';
import type { NetworkShape } from '../network/network-shape.js';
import type { Tensorflow } from '../tensorflow/tensorflow.js';
import { calibrateOnWindow } from '../checkpoints/checkpoint-calibration.js';

/** Inputs of `learnFromShards`. */
export interface ShardLearning extends Pick<LearnOptions<unknown>, 'signal'>, ListingObserver {
  readonly tf: Tensorflow;
  /** Datasets: folders of shards, searched recursively, or shards. */
  readonly data: readonly string[];
  /** Folder of the checkpoint to write. */
  readonly out: string;
  /** Folder of the checkpoint to start from; undefined starts with an untrained network. */
  readonly from: string | undefined;
  /**
   * The configuration, of which `learner` and `replay` are used and, for an untrained network, `game` and `network`.
   */
  readonly config: RunConfig;
  /**
   * Required settings of the game and the network of the checkpoint `from`; absent: any. A network with fewer channels
   * or blocks grows.
   */
  readonly named?: NamedParts;
  /** Seed of the untrained network and of the order of rows; undefined continues the checkpoint's stream. */
  readonly seed: number | undefined;
  /** Undefined: `learner.passes` over the rows, at most `learner.maxSteps`. */
  readonly steps: number | undefined;
  /** Called after each step with the step count and the number of steps. */
  readonly onStep?: (step: number, steps: number) => void;
}

/** Result of `learnFromShards`. */
export interface ShardLearningResult {
  /** Whether all steps were made; false if the signal stopped them. */
  readonly finished: boolean;
  readonly checkpoint: string;
  readonly generation: number;
  readonly windowRows: number;
  readonly shape: NetworkShape;
  readonly statistics: LearnStatistics;
}

async function checkpointBefore({ from, config, named, seed }: ShardLearning): Promise<Checkpoint> {
  if (from === undefined) return firstCheckpoint(config, seed ?? config.seed);
  const checkpoint = await readCheckpoint(from);
  if (named === undefined) return checkpoint;
  checkNamedParts(from, checkpoint, named);
  return growCheckpoint(checkpoint, named.network, seed ?? config.seed);
}

/**
 * Opens the rows of datasets, of which each game may occur once.
 *
 * @throws DataError for shards that cannot be used; `dataset-duplicate`.
 */
export async function openShardWindow(
  datasets: Pick<ShardLearning, 'data' | 'onUnfinished'>,
  game: Game<unknown>,
  { validationShare, memoryMiB }: Pick<ReplayConfig, 'validationShare' | 'memoryMiB'>,
): Promise<ReplayWindow> {
  const shards = await listShardsOfDatasets(datasets.data, datasets);
  const memoryBytes = memoryMiB * 2 ** 20;
  return ReplayWindow.open(shards, { game, validationShare, memoryBytes, eachGameOnce: true });
}

/**
 * Runs one generation of learning outside a run: reads shards and a checkpoint, learns, writes the next checkpoint.
 *
 * @throws TrainingError `checkpoint-exists`, `loss-not-finite`, and as `readCheckpoint` and `checkNamedParts` do.
 * @throws DataError for shards that cannot be used or files that cannot be written; `run-locked` if another process is
 *   about to make `out`.
 */
export async function learnFromShards(request: ShardLearning): Promise<ShardLearningResult> {
  const { tf, config, out } = request;
  await expectNewCheckpoint(out);
  const before = await checkpointBefore(request);
  const window = await openShardWindow(request, before.game, config.replay);
  const { learner } = config;
  const steps = request.steps ?? stepsFor(window.trainingRows.length, learner.passes, learner);
  const learn = async (): Promise<NextCheckpoint> => {
    const learnt = await learnNextCheckpoint({
      tf,
      window,
      steps,
      before,
      config: learner,
      configDigest: digestOfConfig(config),
      seed: request.seed,
      defaultSeed: config.seed,
      failureFolder: dirname(resolve(out)),
      onStep: (step) => request.onStep?.(step, steps),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    });
    const calibration = await calibrateOnWindow(tf, learnt.checkpoint, window, config.selfPlay.precision);
    await writeCheckpoint(out, learnt.checkpoint, calibration);
    return learnt;
  };
  const { checkpoint, statistics } = await makeOutputFolder(out, () => expectNewCheckpoint(out), learn);
  const { shape } = checkpoint.network;
  return {
    finished: statistics.steps === steps,
    checkpoint: out,
    generation: checkpoint.generation,
    windowRows: window.rows,
    shape,
    statistics,
  };
}
