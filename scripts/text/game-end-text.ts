import { outcomeOf, type Sample } from '../../data/shards/sample.js';
import type { Game, Outcome } from '../../env/game.js';
import { countOf } from '../../env/text/count-of.js';

/**
 * `black won in 84 plies`.
 *
 * @param outcome to player 0; null for a game without a result.
 */
export function formatEnd(
  { playerNames }: Pick<Game<unknown>, 'playerNames'>,
  outcome: Outcome | null,
  plies: number,
): string {
  const end =
    outcome === null
      ? 'ended without a result'
      : outcome === 0
        ? 'drawn'
        : `${playerNames[outcome === 1 ? 0 : 1]} won`;
  return `${end} in ${countOf(plies, 'ply')}`;
}

/**
 * The end of a row's game: `black won in 84 plies`. A game that was resigned or adjudicated has a result, its last
 * position has none.
 */
export function formatEndOfRow(
  game: Pick<Game<unknown>, 'playerNames'>,
  row: Pick<Sample, 'result' | 'player' | 'ply' | 'pliesLeft'>,
): string {
  return formatEnd(game, outcomeOf(row), row.ply + row.pliesLeft);
}

/** The result of a game in words, by its name: `black has won`, or `a draw` for `draw`. */
export function describeResult(result: string): string {
  return result === 'draw' ? 'a draw' : `${result} has won`;
}
