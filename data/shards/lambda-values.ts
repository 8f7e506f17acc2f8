import type { Sample } from './sample.js';

/** The columns from which values are computed. */
type ValuedRow = Pick<Sample, 'player' | 'ply' | 'rootValue' | 'result' | 'pliesLeft' | 'gameId'>;

/** `share` of the later value and `1 - share` of the earlier one; if one is unknown (NaN), the other. */
export function mixValues(earlier: number, later: number, share: number): number {
  if (Number.isNaN(earlier)) return later;
  return Number.isNaN(later) ? earlier : (1 - share) * earlier + share * later;
}

/**
 * For each row the mean of its root value, the root values of the later rows of its game and the game's result, to the
 * row's player, with weights that decay by `lambda` a ply: 0 keeps root values, 1 returns results. So later rows
 * correct values that a search misjudged. The weight of missing rows goes to later ones. Rows without a result keep
 * their root values before a missing row, which may be a random move. Null where neither values nor a result are known.
 *
 * @param rows of one or more games; those of a game are adjacent, in ascending order of ply.
 * @param lambda in [0, 1].
 * @see KataGo, docs/KataGoMethods.md, "Short-term Value and Score Targets"; Sutton 1988, the lambda-return.
 */
export function lambdaValues(rows: readonly ValuedRow[], lambda: number): readonly (number | null)[] {
  const values = new Float64Array(rows.length);
  for (let row = rows.length - 1; row >= 0; row--) {
    const { player, ply, rootValue, result, pliesLeft, gameId } = rows[row]!;
    const next = rows[row + 1];
    const own = rootValue ?? NaN;
    if (next?.gameId !== gameId) {
      values[row] = mixValues(own, result ?? NaN, lambda ** pliesLeft);
      continue;
    }
    if (result === null && (next.result !== null || next.ply > ply + 1)) {
      // A random move, which has no row, lies between: what follows it says nothing about this position.
      values[row] = own;
      continue;
    }
    const later = next.player === player ? values[row + 1]! : -values[row + 1]!;
    values[row] = mixValues(own, later, lambda ** (next.ply - ply));
  }
  return Array.from(values, (value) => (Number.isNaN(value) ? null : value));
}
