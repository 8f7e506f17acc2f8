import { NO_RESULT } from '../../data/shards/column-table.js';

/**
 * Writes the probabilities of win, draw and loss to learn to `out[offset …]`, mover's view, and returns the
 * row's weight: 0 where nothing is known.
 *
 * The result of the game and the value of the search are mixed; where one is missing, the other counts alone.
 * A value `q` stands for a win with probability `(1 + q) / 2`, else a loss: a search tells no draws. A
 * truncated game has no result, which is not a draw.
 *
 * @param target `result` is 1, 0, -1 or `NO_RESULT`; `rootValue` is in [-1, 1], or NaN where nothing searched.
 * @param valueMix weight of the search's value in [0, 1].
 */
export function writeOutcomeTarget(
  target: { readonly result: number; readonly rootValue: number },
  valueMix: number,
  out: Float32Array,
  offset: number,
): number {
  const { result, rootValue } = target;
  out.fill(0, offset, offset + 3);
  const hasResult = result !== NO_RESULT;
  const hasValue = !Number.isNaN(rootValue);
  if (!hasResult && !hasValue) {
    // A row that is no distribution would not be zero in the gradient's arithmetic.
    out[offset + 1] = 1;
    return 0;
  }
  const ofValue = !hasResult ? 1 : hasValue ? valueMix : 0;
  if (hasResult) out[offset + 1 - result] = 1 - ofValue;
  if (hasValue) {
    out[offset]! += (ofValue * (1 + rootValue)) / 2;
    out[offset + 2]! += (ofValue * (1 - rootValue)) / 2;
  }
  return 1;
}
