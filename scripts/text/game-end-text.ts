import { outcomeOf, type Sample } from '../../data/shards/sample.js';
import type { Game, Outcome } from '../../env/game.js';
import { countOf } from '../../env/text/count-of.js';
import { quote, shorten } from '../../env/text/quoted-text.js';

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

/**
 * The result of a game in words: `black has won`, `a draw` for `draw`, `white has won (T)` for `white+T`; any other text
 * of a record in quotes.
 */
export function describeResult({ playerNames }: Pick<Game<unknown>, 'playerNames'>, result: string): string {
  if (result === 'draw') return 'a draw';
  if (playerNames.includes(result)) return `${result} has won`;
  const winner = playerNames.find((name) => result.startsWith(`${name}+`));
  return winner === undefined
    ? quote(result)
    : `${winner} has won (${shorten(result.slice(winner.length + 1))})`;
}
