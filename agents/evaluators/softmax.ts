import { AgentError } from '../agent-error.js';

/** Indices of the logits that a softmax reads and of the probabilities that it writes. */
export interface SoftmaxSpan {
  /** Index of the first logit. */
  readonly from: number;
  /** Index of the first probability. */
  readonly to: number;
  readonly count: number;
  /** Probability `i` is that of logit `from + pick[pickFrom + i]`; of logit `from + i` when absent. */
  readonly pick?: Int32Array;
  readonly pickFrom?: number;
}

/**
 * Writes the softmax of `count` of the `logits` to `out`.
 *
 * @throws AgentError `model-not-finite` if a logit is NaN or +Infinity, or all are -Infinity.
 */
export function writeSoftmax(
  logits: Float32Array,
  out: Float32Array,
  { from, to, count, pick, pickFrom = 0 }: SoftmaxSpan,
): void {
  let greatest = -Infinity;
  for (let i = 0; i < count; i++) {
    const logit = logits[from + (pick === undefined ? i : pick[pickFrom + i]!)]!;
    out[to + i] = logit;
    greatest = Math.max(greatest, logit);
  }
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const power = Math.exp(out[to + i]! - greatest);
    out[to + i] = power;
    sum += power;
  }
  if (!Number.isFinite(sum)) {
    throw new AgentError('model-not-finite', 'expected finite outputs of the network, found NaN or infinity');
  }
  for (let i = 0; i < count; i++) out[to + i]! /= sum;
}
