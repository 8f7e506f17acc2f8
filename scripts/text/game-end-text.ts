import type { Sample } from '../../data/shards/sample.js';
import type { Game, Outcome } from '../../env/game.js';

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
  return `${end} in ${plies} plies`;
}

/**
 * The end of a row's game: `black won in 84 plies`. A game that was resigned or adjudicated has a result, its last
 * position has none.
 */
export function formatEndOfRow(
  game: Pick<Game<unknown>, 'playerNames'>,
  { result, player, ply, pliesLeft }: Pick<Sample, 'result' | 'player' | 'ply' | 'pliesLeft'>,
): string {
  const outcome = result === null ? null : player === 0 ? result : -result;
  return formatEnd(game, outcome as Outcome | null, ply + pliesLeft);
}
