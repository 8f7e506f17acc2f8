/**
 * An exponential moving average of the weights, for play: it changes less from step to step than the weights do, and
 * plays better. Learning continues from the weights themselves.
 */
export class WeightAverage {
  /** `[W]` the average. */
  readonly weights: Float32Array;
  private readonly decay: number;

  /**
   * @param decay factor of the old average in each step.
   * @param from `[W]` the average so far, or the initial weights; copied.
   */
  constructor(decay: number, from: Float32Array) {
    this.decay = decay;
    this.weights = from.slice();
  }

  /**
   * Adds the weights after a step of the optimiser. The decay is smaller in the first steps, since the average would
   * otherwise contain the untrained weights for long (as in TensorFlow's `ExponentialMovingAverage` with
   * `num_updates`).
   *
   * @param optimizerStep over all generations, from 1.
   */
  add(weights: Float32Array, optimizerStep: number): void {
    const share = 1 - Math.min(this.decay, (1 + optimizerStep) / (10 + optimizerStep));
    const average = this.weights;
    for (let i = 0; i < average.length; i++) average[i]! += share * (weights[i]! - average[i]!);
  }
}
