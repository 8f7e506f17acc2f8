import type { AveragingConfig } from '../../config/learner-config.js';

/** Step counts after a step. */
export interface StepCount {
  /** Steps of this generation, from 1. */
  readonly step: number;
  /** Steps of the whole generation. */
  readonly steps: number;
  /** Steps of the optimiser over all generations, from 1. */
  readonly optimizerStep: number;
}

/**
 * A running average of the weights, for play: it varies less from step to step than the weights do, and plays
 * better. The learner continues with the weights themselves.
 */
export class WeightAverage {
  /** `[W]` the average; the first weights until something was added. */
  readonly weights: Float32Array;
  private readonly config: Exclude<AveragingConfig, { kind: 'none' }>;
  private addedCount: number;

  /**
   * @param from `[W]` an average to continue, or the first weights; copied.
   * @param added number of weights in that average in this generation.
   */
  constructor(config: Exclude<AveragingConfig, { kind: 'none' }>, from: Float32Array, added = 0) {
    this.config = config;
    this.weights = from.slice();
    this.addedCount = added;
  }

  /** Number of weights in a stochastic average of this generation. */
  get added(): number {
    return this.addedCount;
  }

  /** Adds the weights after a step. */
  add(weights: Float32Array, count: StepCount): void {
    const share = this.shareOf(count);
    if (share === 0) return;
    const average = this.weights;
    for (let i = 0; i < average.length; i++) average[i]! += share * (weights[i]! - average[i]!);
  }

  /**
   * Factor of the newest weights in the average.
   *
   * Exponential: `1 - decay`, and more at the beginning, where the average would long remember the untrained
   * weights (as TensorFlow's `ExponentialMovingAverage` with `num_updates`). Stochastic: an equal mean
   * of the weights at every n-th step of a generation's last part (Izmailov et al. 2018, "Averaging Weights
   * Leads to Wider Optima and Better Generalization", algorithm 1); each generation has its own.
   */
  private shareOf({ step, steps, optimizerStep }: StepCount): number {
    const { config } = this;
    if (config.kind === 'exponential') {
      return 1 - Math.min(config.decay, (1 + optimizerStep) / (10 + optimizerStep));
    }
    // The weights of the last step always count, so that a short generation has an average too.
    const isDue = (steps - step) % config.everySteps === 0 && step >= config.fromShare * steps;
    if (!isDue) return this.added === 0 ? 1 : 0;
    this.addedCount += 1;
    return 1 / this.added;
  }
}
