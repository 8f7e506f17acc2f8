import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readFailure } from '../../data/errors.js';
import { ReplayWindow } from '../../data/replay-window.js';
import { createGame } from '../../env/games.js';
import { createRng, restoreRng, type Rng } from '../../env/random.js';
import { exists, readCheckpoint, writeCheckpoint, type Checkpoint } from '../checkpoint.js';
import { digestOfConfig } from '../config-file.js';
import type { RunConfig } from '../config.js';
import { TrainingError } from '../errors.js';
import { learn, startLearner, type LearnOptions, type LearnStatistics } from './learner.js';
import { createNetwork, networkShape } from '../network/network.js';
import { softwareVersion } from '../software-version.js';
import type { Tensorflow } from '../tensorflow.js';

/** What to learn from, and what from it is made. */
export interface ShardLearning extends Pick<LearnOptions<unknown>, 'signal'> {
  readonly tf: Tensorflow;
  /** Folders of shards. */
  readonly data: readonly string[];
  /** The checkpoint's folder to make. */
  readonly out: string;
  /** The checkpoint's folder to go on from; undefined starts with an untrained network. */
  readonly from: string | undefined;
  /** Its parts `learner`, `replay` and, for an untrained network, `game` and `network`. */
  readonly config: RunConfig;
  /** Of the untrained network and of the order of rows; undefined goes on with the checkpoint's stream. */
  readonly seed: number | undefined;
  /** Undefined: `learner.passes` over the rows, at most `learner.maxSteps`. */
  readonly steps: number | undefined;
  readonly onStep?: (step: number, steps: number) => void;
}

/** What `learnFromShards` made. */
export interface ShardLearningResult {
  readonly checkpoint: string;
  readonly generation: number;
  readonly windowRows: number;
  readonly statistics: LearnStatistics;
}

/** The shards in a folder, by name. Throws `DataError` `file-missing` or `file-unreadable`. */
async function shardsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw readFailure(folder, error);
  });
  return names
    .filter((name) => name.endsWith('.arrow'))
    .sort()
    .map((name) => join(folder, name));
}

/** Generation 0, as `gess train` makes it from the same configuration. */
function untrained({ game: { id, rules }, network }: RunConfig, seed: number): Checkpoint {
  const game = createGame(id, rules);
  return {
    generation: 0,
    game,
    ...startLearner(createNetwork(networkShape(game, network), createRng(seed, 'init'))),
    learnerRandom: null,
    configDigest: null,
    softwareVersion: softwareVersion(),
  };
}

function learnerRng({ learnerRandom }: Checkpoint, { seed, config }: ShardLearning): Rng {
  return seed === undefined && learnerRandom !== null
    ? restoreRng(learnerRandom)
    : createRng(seed ?? config.seed, 'shuffle');
}

/**
 * One generation of learning outside a run: reads shards and a checkpoint, learns, writes the next checkpoint.
 *
 * @throws TrainingError `checkpoint-exists`, `loss-not-finite`, and what `readCheckpoint` throws; DataError for
 * shards that cannot be used or files that cannot be written.
 */
export async function learnFromShards(request: ShardLearning): Promise<ShardLearningResult> {
  const { tf, config, out } = request;
  if (await exists(out)) {
    throw new TrainingError('checkpoint-exists', `expected no folder of the name ${out} yet, found one`);
  }
  const before =
    request.from === undefined
      ? untrained(config, request.seed ?? config.seed)
      : await readCheckpoint(request.from);
  const { game } = before;
  const shards = (await Promise.all(request.data.map(shardsIn))).flat();
  const { validationShare } = config.replay;
  const window = await ReplayWindow.open(shards, { game, validationShare });
  const { passes, batchSize, maxSteps } = config.learner;
  const wanted = Math.ceil((window.trainingRows.length * passes) / batchSize);
  const steps = request.steps ?? Math.min(wanted, maxSteps);
  const rng = learnerRng(before, request);
  const { network, optimizer, statistics } = await learn({
    tf,
    game,
    config: config.learner,
    window,
    from:
      before.optimizer === null ? startLearner(before.network) : { ...before, optimizer: before.optimizer },
    rng,
    steps,
    failureFolder: '.',
    onStep: (step) => request.onStep?.(step, steps),
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  });
  const generation = before.generation + 1;
  await writeCheckpoint(tf, out, {
    generation,
    game,
    network,
    optimizer,
    learnerRandom: rng.state(),
    configDigest: digestOfConfig(config),
    softwareVersion: softwareVersion(),
  });
  return { checkpoint: out, generation, windowRows: window.rows, statistics };
}
