import type { HeadColumns } from './target-columns.js';

/** Widths are rounded up to a multiple of this, to limit the number of distinct tensor shapes. */
const WIDTH_STEP = 32;

/** Added to the logits of padding columns: softmax then returns exactly 0 for them. */
const PADDING_LOGIT = -1e9;

/** Distributions over the legal actions of each row; `B` rows of `K` columns, `K` is `width`. */
export class ActionColumns implements HeadColumns {
  /** Current columns of each row: at least the greatest number of legal actions. */
  width = 0;
  /** `[B, K]` policy indices of the legal actions, then 0. */
  readonly legal: Int32Array;
  /** `[B, K]` 0 for legal actions, then the padding logit. */
  readonly padding: Float32Array;
  /** `[B, K]` the distribution to learn, then 0; a row sums to 1. */
  readonly policy: Float32Array;
  /** `[B]` weights of the rows in the loss. */
  readonly weights: Float32Array;

  /** @param maxLegalActions greatest number of legal actions of a position. */
  constructor(capacity: number, maxLegalActions: number) {
    const columns = capacity * roundUp(maxLegalActions);
    this.legal = new Int32Array(columns);
    this.padding = new Float32Array(columns);
    this.policy = new Float32Array(columns);
    this.weights = new Float32Array(capacity);
  }

  /**
   * Makes room for `size` rows of at most `legalActions` each. All rows are unknown at first: the first action, with
   * weight 0.
   */
  reset(size: number, legalActions: number): void {
    this.width = roundUp(Math.max(1, legalActions));
    this.legal.fill(0, 0, size * this.width);
    this.policy.fill(0, 0, size * this.width);
    this.padding.fill(PADDING_LOGIT, 0, size * this.width);
    this.weights.fill(0, 0, size);
    for (let row = 0; row < size; row++) {
      // A row that is not a distribution would have a nonzero gradient, whatever its weight.
      this.policy[row * this.width] = 1;
      this.padding[row * this.width] = 0;
    }
  }

  sumOfWeights(size: number): number {
    return this.weights.subarray(0, size).reduce((total, weight) => total + weight, 0);
  }
}

function roundUp(legalActions: number): number {
  return Math.ceil(legalActions / WIDTH_STEP) * WIDTH_STEP;
}
