import { createGame } from '../../env/games.js';
import { createRng, restoreRng, type Rng } from '../../env/random.js';
import type { Checkpoint } from '../checkpoints/checkpoint.js';
import { MAX_COUNTER } from '../checkpoints/checkpoint-details.js';
import { digestOfConfig } from '../config/config-file.js';
import type { LearnerConfig } from '../config/groups/learner-config.js';
import type { RunConfig } from '../config/run-config.js';
import { createNetwork } from '../network/network.js';
import { gameOfNetwork, networkShape } from '../network/network-shape.js';
import { softwareVersion } from '../software-version.js';
import { TrainingError } from '../training-error.js';
import { saveFailedBatch } from './failed-batch.js';
import type { LearnStatistics } from './learn-statistics.js';
import { learn, type LearnerState, type LearnOptions, startLearner } from './learner.js';
import { countDeadUnits, type UnitSample } from './units/dead-units.js';
import { reviveUnits } from './units/unit-revival.js';

/** Inputs of `learnNextCheckpoint`. */
export interface NextCheckpointRequest extends Pick<
  LearnOptions<unknown>,
  'tf' | 'window' | 'steps' | 'onStep' | 'signal' | 'halfway' | 'saving'
> {
  readonly before: Checkpoint;
  /** Folder for a batch whose loss is not finite. */
  readonly failureFolder: string;
  readonly config: LearnerConfig;
  readonly configDigest: string;
  /** Seeds the order of rows; undefined continues the checkpoint's stream. */
  readonly seed: number | undefined;
  /** Seeds the order of rows if the checkpoint has no stream. */
  readonly defaultSeed: number;
}

/** A generation's network, not yet written. */
export interface NextCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly statistics: LearnStatistics;
}

/**
 * Creates generation 0, an untrained network.
 *
 * @throws NotationError `game-unknown`, `rules-unknown`.
 */
export function firstCheckpoint(config: RunConfig, seed: number): Checkpoint {
  const game = gameOfNetwork(createGame(config.game.id, config.game.rules), config.network);
  return {
    generation: 0,
    game,
    ...startLearner(createNetwork(networkShape(game, config.network), createRng(seed, 'init'))),
    learnerRandom: createRng(seed, 'shuffle').state(),
    configDigest: digestOfConfig(config),
    softwareVersion: softwareVersion(),
  };
}

/** The stream that samples rows, in the state from which learning continues. */
function learnerRng({ halfway, seed, before, defaultSeed }: NextCheckpointRequest): Rng {
  const { learnerRandom } = before;
  if (halfway !== undefined) return restoreRng(halfway.counters.random);
  if (seed === undefined && learnerRandom !== null) return restoreRng(learnerRandom);
  return createRng(seed ?? defaultSeed, 'shuffle');
}

/** Refuses counters, far above those of any learning, with which the next checkpoint could not be read. */
function expectRoom({ before, halfway, steps }: NextCheckpointRequest): void {
  const taken = (halfway?.optimizer ?? before.optimizer)?.step ?? 0;
  for (const [name, count, more] of [
    ['generations', before.generation, 1],
    ['steps of the optimiser', taken, steps],
  ] as const) {
    if (count + more <= MAX_COUNTER) continue;
    throw new TrainingError(
      'checkpoint-damaged',
      `expected at most ${MAX_COUNTER - more} ${name} in the checkpoint to learn from, got ${count}`,
    );
  }
}

/** Refuses a network that cannot play: training steps do not check the losses of the averaged weights. */
function expectFiniteLosses({ validation }: LearnStatistics): void {
  for (const [name, loss] of Object.entries(validation ?? {})) {
    if (typeof loss !== 'number' || Number.isFinite(loss)) continue;
    throw new TrainingError(
      'loss-not-finite',
      `expected finite losses on held-back rows, found ${name} ${loss}`,
    );
  }
}

/** The state from which to learn: that of the checkpoint, with new weights for its dead units. */
function revivedStart(request: NextCheckpointRequest, sample: UnitSample<unknown>): LearnerState {
  const { before, halfway, seed, defaultSeed } = request;
  const { network, optimizer, average, generation } = before;
  const begun = optimizer === null ? { ...startLearner(network), average } : { network, optimizer, average };
  // The dead units of a saved learner were revived before it was saved.
  if (halfway !== undefined) return begun;
  return reviveUnits(sample, begun, createRng(seed ?? defaultSeed, 'revival', generation));
}

/**
 * Takes some steps of learning from the checkpoint `before` and returns the next checkpoint.
 *
 * @throws TrainingError `checkpoint-damaged` if the counters of `before` are too high to go on, and as `learn` does.
 */
export async function learnNextCheckpoint(request: NextCheckpointRequest): Promise<NextCheckpoint> {
  expectRoom(request);
  const { before, configDigest, tf, window } = request;
  const sample = { tf, window, game: before.game };
  const rng = learnerRng(request);
  const { statistics, ...learnt } = await learn({
    ...request,
    game: before.game,
    from: revivedStart(request, sample),
    rng,
    failOnBatch: (failed) => saveFailedBatch(failed, request.failureFolder),
  });
  expectFiniteLosses(statistics);
  const checkpoint = {
    ...before,
    ...learnt,
    generation: before.generation + 1,
    learnerRandom: rng.state(),
    configDigest,
    softwareVersion: softwareVersion(),
  };
  const isFinished = statistics.steps === request.steps;
  const deadUnits = isFinished ? countDeadUnits(sample, learnt.network, learnt.average) : null;
  return { checkpoint, statistics: { ...statistics, deadUnits } };
}
