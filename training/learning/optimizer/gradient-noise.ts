/** Sums of `GradientNoise` over the steps. */
export interface NoiseSums {
  readonly steps: number;
  readonly squares: number;
  readonly products: number;
}

/**
 * Estimates the gradient noise scale: the batch size at which the noise and the signal of a gradient are equally
 * strong. Much larger batches waste samples, much smaller ones waste steps.
 *
 * @see McCandlish et al. 2018, "An Empirical Model of Large-Batch Training", section 2.2: `B = tr(S) / |G|^2`.
 *
 * Instead of two batch sizes, gradients of neighbouring steps are compared: their noise is independent, so the
 * mean of their products is `|G|^2`, and the mean of a gradient's square is `|G|^2 + tr(S) / B`. Between two steps the
 * weights move a little, which is neglected.
 */
export class GradientNoise {
  /** `[W]` the previous step's gradient. */
  readonly previous: Float32Array;
  private steps: number;
  private squares: number;
  private products: number;

  /**
   * @param previous `[W]` the previous step's gradient, zeros before the first step; copied.
   * @param sums of the steps so far; zeros by default.
   */
  constructor(previous: Float32Array, sums: NoiseSums = { steps: 0, squares: 0, products: 0 }) {
    this.previous = previous.slice();
    this.steps = sums.steps;
    this.squares = sums.squares;
    this.products = sums.products;
  }

  /** The sums so far. */
  get sums(): NoiseSums {
    const { steps, squares, products } = this;
    return { steps, squares, products };
  }

  /** Adds a step's gradient, before clipping. */
  add(gradient: Float32Array): void {
    const { previous } = this;
    let square = 0;
    let product = 0;
    for (let i = 0; i < previous.length; i++) {
      const slope = gradient[i]!;
      square += slope * slope;
      product += slope * previous[i]!;
      previous[i] = slope;
    }
    this.squares += square;
    if (this.steps > 0) this.products += product;
    this.steps += 1;
  }

  /** The noise scale in samples; null after fewer than two steps or if the gradients are all noise. */
  scale(batchSize: number): number | null {
    if (this.steps < 2) return null;
    const signal = this.products / (this.steps - 1);
    if (signal <= 0) return null;
    return Math.max(0, (batchSize * (this.squares / this.steps - signal)) / signal);
  }
}
