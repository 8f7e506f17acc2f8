import { CACHE_SIZE } from '../../../training/play/cache-size.js';
import { NetworkEvaluator } from '../../../agents/evaluators/network-evaluator.js';
import { RowWindow } from '../../../data/datasets/row-window.js';
import { columnsOf } from '../../../data/shards/shard-columns.js';
import { rowsInMemory, type ShardRows } from '../../../data/shards/shard-rows.js';
import type { Game } from '../../../env/game.js';
import { createRng } from '../../../env/random.js';
import { openTensorSession } from '../../../training/network/tensor-session.js';
import { learn, type LearnerState, startLearner } from '../../../training/learning/learner.js';
import { stepsFor } from '../../../training/learning/learner-steps.js';
import { createNetwork, networkOf } from '../../../training/network/network.js';
import { networkShape } from '../../../training/network/network-shape.js';
import type { FinishedGame } from '../../../training/self-play/training-game.js';
import { playSelfPlayGames } from '../../../training/self-play/self-play.js';
import type { Tensorflow } from '../../../training/tensorflow/tensorflow.js';
import { TrainingError } from '../../../training/training-error.js';
import { GAMES, LEARNER, NETWORK, SELF_PLAY, WINDOW } from './laboratory-settings.js';

/** The parts of a run. */
export interface RunTools {
  readonly tf: Tensorflow;
  readonly game: Game<unknown>;
  /** Seed of all random streams. */
  readonly seed: number;
  /** Awaited after each batch of evaluations and each step of learning. */
  readonly breathe: () => Promise<void>;
}

/** Progress of the next generation: games played, or steps learnt. */
export interface Progress {
  readonly phase: 'play' | 'learn';
  readonly done: number;
  readonly of: number;
}

/** A generation and what it has learnt from. */
export interface LearntGeneration {
  /** From 1 on; 0 is untrained. */
  readonly number: number;
  /** `[W]` the run's own weights; callers must not change them. */
  readonly weights: Float32Array;
  /** Mean losses of its steps: cross-entropies, in nats. */
  readonly policyLoss: number;
  readonly valueLoss: number;
  /** Positions of its games. */
  readonly positions: number;
}

/** Fails without saving the batch whose loss is not finite. */
function failOnBatch({ step }: { readonly step: number }): Promise<never> {
  const problem = `expected finite losses, found one that is not finite in step ${step}: start over`;
  return Promise.reject(new TrainingError('loss-not-finite', problem));
}

/**
 * A run of training in memory, by the stages of `training/`: self-play by the last generation, then learning from the
 * games of the last ones. Equal seeds give equal generations on one backend.
 */
export class LearningRun {
  private readonly tools: RunTools;
  private readonly shards: ShardRows[] = [];
  private state: LearnerState;
  private last = 0;

  constructor(tools: RunTools) {
    this.tools = tools;
    const shape = networkShape(tools.game, NETWORK);
    this.state = startLearner(createNetwork(shape, createRng(tools.seed, 'init')));
  }

  /** The weights with which the last generation plays; callers must not change them. */
  get weights(): Float32Array {
    return this.state.average ?? this.state.network.weights;
  }

  /**
   * Plays and learns the next generation.
   *
   * @throws TrainingError `loss-not-finite`.
   */
  async advance(onProgress: (progress: Progress) => void): Promise<LearntGeneration> {
    const number = this.last + 1;
    const games = await this.play(onProgress);
    const samples = games.flatMap((game) => game.samples);
    this.shards.push(rowsInMemory(columnsOf(samples, this.tools.game.packedSize)));
    if (this.shards.length > WINDOW) this.shards.shift();
    const { policyLoss, valueLoss } = await this.learn(samples.length, onProgress);
    this.last = number;
    return { number, weights: this.weights, policyLoss, valueLoss, positions: samples.length };
  }

  private async play(onProgress: (progress: Progress) => void): Promise<readonly FinishedGame[]> {
    const { tf, game, seed, breathe } = this.tools;
    const source = `generation ${this.last}`;
    const network = networkOf(this.state.network.shape, this.weights);
    const session = openTensorSession({ tf, network, source, breathe });
    const options = { batchSize: SELF_PLAY.batchSize, cacheSize: CACHE_SIZE };
    const evaluator = await NetworkEvaluator.create(game, session, options);
    let done = 0;
    try {
      const range = { firstGame: this.last * GAMES, games: GAMES };
      return await playSelfPlayGames({ game, config: SELF_PLAY, seed }, range, evaluator, () => {
        done += 1;
        onProgress({ phase: 'play', done, of: GAMES });
      });
    } finally {
      await evaluator.dispose();
    }
  }

  /** @param positions of the newest games. */
  private async learn(
    positions: number,
    onProgress: (progress: Progress) => void,
  ): Promise<{ policyLoss: number; valueLoss: number }> {
    const { tf, game, seed, breathe } = this.tools;
    const steps = stepsFor(positions, LEARNER.passes, LEARNER);
    const { statistics, ...state } = await learn({
      tf,
      game,
      config: LEARNER,
      window: new RowWindow(this.shards, () => false),
      from: this.state,
      rng: createRng(seed, 'shuffle', this.last),
      steps,
      breathe,
      failOnBatch,
      onStep: (done) => {
        onProgress({ phase: 'learn', done, of: steps });
      },
    });
    this.state = state;
    const { policyLoss, valueLoss } = statistics.training;
    return { policyLoss: policyLoss ?? 0, valueLoss: valueLoss ?? 0 };
  }
}
