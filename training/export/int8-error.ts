import { writeSoftmax } from '../../agents/evaluators/softmax.js';
import type { Answers, CheckedPositions } from './checked-positions.js';

/** Deviation of the int8 model from the float32 model; means over positions. */
export interface Int8Error {
  /** Kullback-Leibler divergence of the int8 policy from the float32 policy, in nats. */
  readonly policyDivergence: number;
  /** Difference of the values, which lie in [-1, 1]. */
  readonly valueError: number;
  /** Share of positions, in [0, 1], in which both policies prefer the same move. */
  readonly sameMoves: number;
}

function softmaxOf(logits: Float32Array, from: number, count: number): Float32Array {
  const out = new Float32Array(count);
  writeSoftmax(logits, out, { from, to: 0, count });
  return out;
}

/** The error of answers that contain NaN. */
const INFINITE: Int8Error = { policyDivergence: Infinity, valueError: Infinity, sameMoves: 0 };

function isFinite({ legalLogits, outcome }: Answers): boolean {
  return legalLogits.every(Number.isFinite) && outcome.every(Number.isFinite);
}

/** Compares the answers of the int8 model with those of the float32 model; infinite if one of them contains NaN. */
export function int8Error(
  int8: Answers,
  float32: Answers,
  { count, width, legalCounts }: CheckedPositions,
): Int8Error {
  if (!isFinite(int8) || !isFinite(float32)) return INFINITE;
  let [divergence, valueError, same] = [0, 0, 0];
  for (let row = 0; row < count; row++) {
    const [own, exact] = [int8, float32].map(({ legalLogits }) =>
      softmaxOf(legalLogits, row * width, legalCounts[row]!),
    ) as [Float32Array, Float32Array];
    // Probabilities that were rounded to 0 count as the smallest positive float32.
    exact.forEach(
      (prior, i) => (divergence += prior === 0 ? 0 : prior * Math.log(prior / (own[i]! || 2 ** -149))),
    );
    const [ownValue, exactValue] = [int8, float32].map(({ outcome }) => {
      const [win, , loss] = softmaxOf(outcome, 3 * row, 3);
      return win! - loss!;
    }) as [number, number];
    valueError += Math.abs(ownValue - exactValue);
    if (own.indexOf(Math.max(...own)) === exact.indexOf(Math.max(...exact))) same++;
  }
  // Rounding can make the divergence of equal policies negative.
  const policyDivergence = Math.max(0, divergence / count);
  return { policyDivergence, valueError: valueError / count, sameMoves: same / count };
}
