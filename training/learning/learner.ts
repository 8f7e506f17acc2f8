import { nextTask } from '../../agents/next-task.js';
import type { RowWindow } from '../../data/datasets/row-window.js';
import type { Game } from '../../env/game.js';
import type { Rng } from '../../env/random.js';
import { BatchPreparation } from './batch-preparation.js';
import type { LearnerConfig } from '../config/groups/learner-config.js';
import type { FailedBatch } from './failed-batch.js';
import { clipNorm } from './optimizer/gradient-clipping.js';
import { GradientNoise } from './optimizer/gradient-noise.js';
import type { LearnStatistics } from './learn-statistics.js';
import type { LearnerCounters, LearnerSnapshot } from './learner-snapshot.js';
import { learningRateAt } from './optimizer/learning-rate.js';
import { LossMeans, meansOf, type LearnerLosses } from './loss-means.js';
import { centreGradient, stepCentred } from './optimizer/input-centring.js';
import { Optimizer } from './optimizer/optimizer.js';
import { createOptimizerState, type OptimizerState } from '../checkpoints/optimizer-state.js';
import { NetworkLoss, type LossSums } from './network-loss.js';
import { networkOf, type Network } from '../network/network.js';
import type { Tensorflow } from '../tensorflow/tensorflow.js';
import { TrainingBatch } from './training-batch.js';
import { validate } from './validation.js';
import { WeightAverage } from './optimizer/weight-average.js';

/** Start and result of learning: everything that the next step depends on. */
export interface LearnerState {
  readonly network: Network;
  readonly optimizer: OptimizerState;
  /** `[W]` the averaged weights, for play; null without averaging. */
  readonly average: Float32Array | null;
}

/** Saves a learner between two steps. */
export interface LearnerSaving {
  /** Steps between saves; 0: only when the signal arrives. */
  readonly every: number;
  readonly save: (snapshot: LearnerSnapshot) => Promise<void>;
}

/** Options of `learn`. */
export interface LearnOptions<State> {
  readonly tf: Tensorflow;
  readonly game: Game<State>;
  readonly config: LearnerConfig;
  readonly window: RowWindow;
  /** Not changed. */
  readonly from: LearnerState;
  /**
   * Snapshot of an earlier call with the same options; `rng` must be in the state that it had at the start of that
   * call.
   */
  readonly halfway?: LearnerSnapshot | undefined;
  /** Samples rows and symmetries; advanced. */
  readonly rng: Rng;
  readonly steps: number;
  /** Called with a batch whose loss is not finite; throws. */
  readonly failOnBatch: (batch: FailedBatch<State>) => Promise<never>;
  /** Called after each step with the step count and the mean losses of that step. */
  readonly onStep?: (step: number, losses: LearnerLosses) => void;
  /** Awaited after each step, which blocks the thread, so that signals, timers and messages are handled: `nextTask`. */
  readonly breathe?: () => Promise<void>;
  /** Stops learning after the current step. */
  readonly signal?: AbortSignal;
  /** Without it, `signal` ends learning with the weights so far as the result. */
  readonly saving?: LearnerSaving;
}

/** Result of `learn`. */
export interface LearnResult extends LearnerState {
  readonly statistics: LearnStatistics;
}

/** The state before the first step. */
export function startLearner(network: Network): LearnerState {
  return { network, optimizer: createOptimizerState(network.weights.length), average: null };
}

/** A learner between two steps. */
class Learner<State> {
  readonly weights: Float32Array;
  readonly state: OptimizerState;
  readonly average: WeightAverage | null;
  private readonly options: LearnOptions<State>;
  private readonly loss: NetworkLoss;
  private readonly preparation: BatchPreparation<State>;
  private readonly batch: TrainingBatch;
  /** `[batchSize]` rows of the batch, in the window. */
  private readonly rows: Uint32Array;
  private readonly gradient: Float32Array;
  /** The weights and the gradient by name, as views. */
  private readonly parameters: Network['parameters'];
  private readonly slopes: Network['parameters'];
  private readonly optimizer: Optimizer;
  private readonly means: LossMeans;
  private readonly noise: GradientNoise;
  steps = 0;
  private normSum = 0;
  private clipped = 0;
  private learningRate = 0;
  private preparationMs = 0;
  /** Start on the clock of this process, minus the time spent before resuming. */
  private startMs: number;

  constructor(options: LearnOptions<State>) {
    const { tf, game, config, from, halfway } = options;
    const { shape } = from.network;
    const { weights } = halfway ?? from.network;
    const { step, firstMoment, secondMoment } = (halfway ?? from).optimizer;
    const average = (halfway ?? from).average ?? weights;
    const { averaging } = config;
    this.options = options;
    this.weights = weights.slice();
    this.state = { step, firstMoment: firstMoment.slice(), secondMoment: secondMoment.slice() };
    this.average = averaging.kind === 'none' ? null : new WeightAverage(averaging.decay, average);
    this.loss = new NetworkLoss(tf, shape, config);
    this.preparation = new BatchPreparation(game, config);
    this.batch = new TrainingBatch(shape, config.batchSize, game.maxLegalActions);
    this.rows = new Uint32Array(config.batchSize);
    this.gradient = new Float32Array(weights.length);
    this.parameters = networkOf(shape, this.weights).parameters;
    this.slopes = networkOf(shape, this.gradient).parameters;
    this.optimizer = new Optimizer(shape, config.optimizer);
    this.noise = new GradientNoise(halfway?.gradient ?? this.gradient, halfway?.counters.noise);
    this.means = new LossMeans(halfway?.counters.losses);
    this.startMs = performance.now();
    if (halfway !== undefined) this.restore(halfway.counters);
  }

  private restore(counters: LearnerCounters): void {
    this.steps = counters.step;
    this.normSum = counters.normSum;
    this.clipped = counters.clipped;
    this.learningRate = counters.learningRate;
    this.preparationMs = counters.preparationMs;
    this.startMs -= counters.elapsedMs;
  }

  /** The current state, as views that the next step overwrites. */
  snapshot(): LearnerSnapshot {
    const { weights, state, average, noise, normSum, clipped, learningRate, preparationMs } = this;
    return {
      counters: {
        step: this.steps,
        random: [...this.options.rng.state()],
        losses: this.means.totals,
        noise: noise.sums,
        normSum,
        clipped,
        learningRate,
        elapsedMs: performance.now() - this.startMs,
        preparationMs,
      },
      weights,
      optimizer: state,
      average: average?.weights ?? null,
      gradient: noise.previous,
    };
  }

  /** One step of the optimiser; returns the losses of its batch before it. */
  async step(): Promise<LossSums> {
    const { options, state, weights, gradient } = this;
    const { config } = options;
    this.prepare();
    const { sums, meanInputs } = this.loss.differentiate(weights, this.batch, gradient);
    centreGradient(this.slopes, meanInputs);
    this.noise.add(gradient);
    const gradientNorm = clipNorm(gradient, config.clipNorm);
    await this.checkFinite({ ...sums, gradientNorm });
    this.learningRate = learningRateAt(config, {
      optimizerStep: state.step,
      share: this.steps / options.steps,
    });
    const { learningRate } = this;
    stepCentred(this.parameters, meanInputs, () => {
      this.optimizer.step(weights, gradient, state, { learningRate, weightDecay: config.weightDecay });
    });
    this.steps += 1;
    this.average?.add(weights, state.step);
    this.means.add(sums);
    this.normSum += gradientNorm;
    if (gradientNorm > config.clipNorm) this.clipped += 1;
    return sums;
  }

  /**
   * Statistics of the steps so far.
   *
   * @param isValidated whether the network is evaluated on held-back rows.
   */
  statistics(isValidated: boolean): LearnStatistics {
    const elapsedMs = performance.now() - this.startMs;
    const { steps, weights, average } = this;
    const { config, window } = this.options;
    const tools = { window, loss: this.loss, preparation: this.preparation, batch: this.batch };
    const perStep = (sum: number): number => (steps > 0 ? sum / steps : 0);
    return {
      steps,
      optimizerSteps: this.state.step,
      samples: steps * config.batchSize,
      training: this.means.means(),
      validation: isValidated ? validate(tools, average?.weights ?? weights) : null,
      validationOfLast: isValidated && average !== null ? validate(tools, weights) : null,
      gradientNorm: perStep(this.normSum),
      clippedShare: perStep(this.clipped),
      gradientNoiseScale: this.noise.scale(config.batchSize),
      learningRate: this.learningRate,
      samplesPerSecond: steps > 0 ? (steps * config.batchSize * 1000) / elapsedMs : 0,
      preparationShare: steps > 0 ? this.preparationMs / elapsedMs : 0,
    };
  }

  private prepare(): void {
    const { window, rng, config } = this.options;
    const startMs = performance.now();
    window.drawTrainingRows(rng, this.rows);
    this.preparation.fill(this.batch, window, this.rows, config.symmetries ? rng : null);
    this.preparationMs += performance.now() - startMs;
  }

  private async checkFinite(found: Readonly<Record<string, number>>): Promise<void> {
    if (Object.values(found).every(Number.isFinite)) return;
    const { game, window, failOnBatch } = this.options;
    await failOnBatch({ game, window, rows: this.rows, step: this.state.step + 1, found });
  }
}

/**
 * Takes `steps` steps of the optimiser on rows sampled from the window. Equal inputs give equal weights, bit by bit,
 * for one number of TensorFlow threads, with or without a resume from a save in between. Leaves no tensor.
 *
 * @returns the learnt state; not validated if it was saved before the last step.
 * @throws errors of `failOnBatch` and of `saving`.
 */
export async function learn<State>(options: LearnOptions<State>): Promise<LearnResult> {
  const learner = new Learner(options);
  const { steps, saving, signal, breathe = nextTask } = options;
  const isStopped = (): boolean => signal?.aborted === true;
  let savedStep = learner.steps;
  const save = async (to: LearnerSaving): Promise<void> => {
    if (learner.steps === savedStep) return;
    await to.save(learner.snapshot());
    savedStep = learner.steps;
  };
  while (learner.steps < steps && !isStopped()) {
    const sums = await learner.step();
    options.onStep?.(learner.steps, meansOf(sums));
    await breathe();
    const isDue = saving !== undefined && saving.every > 0 && learner.steps % saving.every === 0;
    if (isDue && learner.steps < steps && !isStopped()) await save(saving);
  }
  const isCut = saving !== undefined && learner.steps < steps;
  if (isCut) await save(saving);
  const statistics = learner.statistics(!isCut);
  return {
    network: networkOf(options.from.network.shape, learner.weights),
    optimizer: learner.state,
    average: learner.average?.weights ?? null,
    statistics,
  };
}
