import { type Game, outcomeTo, type Player } from '../../env/game.js';
import { pointsOfOutcome } from '../play/outcome-points.js';
import type { Forfeit, GameEnd, MatchGame } from './match-game.js';

/**
 * The end of a game of a match; null while it goes on.
 *
 * @param forfeit of the side whose last move, which was not played, took too long, or that made a fault.
 */
export function endOf<State>(game: Game<State>, state: State, forfeit: Forfeit | null): GameEnd | null {
  if (forfeit !== null) return forfeit.end;
  if (game.outcome(state) !== null) return 'rules';
  return game.ply(state) >= game.plyLimit ? 'plies' : null;
}

/** The first agent's points in a game that has ended. */
export function pointsOf<State>(
  game: Game<State>,
  state: State,
  { agentPlayer, forfeit }: { readonly agentPlayer: Player; readonly forfeit: Forfeit | null },
): MatchGame['points'] {
  const toAgent =
    forfeit === null ? outcomeTo(agentPlayer, game.outcome(state) ?? 0) : forfeit.side === 0 ? -1 : 1;
  return pointsOfOutcome(toAgent);
}
