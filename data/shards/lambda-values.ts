import type { Sample } from './sample.js';

/** What is known of a row's value, to the player to move. */
type ValuedRow = Pick<Sample, 'player' | 'ply' | 'rootValue' | 'result' | 'pliesLeft' | 'gameId'>;

/** `share` of the later value, the rest of the earlier; where one is unknown, the other. */
function mix(earlier: number | null, later: number | null, share: number): number | null {
  if (earlier === null || later === null) return earlier ?? later;
  return (1 - share) * earlier + share * later;
}

/**
 * For each row the mean of its own root value, those of the rows after it in its game, and at the end the game's result, with
 * weights that fall by `lambda` a ply, all to the row's player: 0 leaves root values as they are, 1 gives results. So values
 * of a game that a search misjudged are corrected by what came after. Rows that are missing cost their plies. Null where
 * nothing is known.
 *
 * @param rows of one game or several; those of a game are neighbours, ascending by ply.
 * @param lambda in [0, 1].
 * @see KataGo, docs/KataGoMethods.md, "Short-term Value and Score Targets"; Sutton 1988, the lambda-return.
 */
export function lambdaValues(rows: readonly ValuedRow[], lambda: number): readonly (number | null)[] {
  const values = new Array<number | null>(rows.length).fill(null);
  for (let row = rows.length - 1; row >= 0; row--) {
    const { player, ply, rootValue, result, pliesLeft, gameId } = rows[row]!;
    const next = rows[row + 1];
    if (next?.gameId !== gameId) {
      values[row] = mix(rootValue, result, lambda ** pliesLeft);
      continue;
    }
    const later = values[row + 1] ?? null;
    const seen = later === null || next.player === player ? later : -later;
    values[row] = mix(rootValue, seen, lambda ** (next.ply - ply));
  }
  return values;
}
