import { type Action, type Game, listActions } from '../../game.js';
import type { Rng } from '../../random.js';

/** The state after a list of actions from the initial state. */
export function playActions<State>(game: Game<State>, actions: readonly Action[]): State {
  const state = game.initialState();
  for (const action of actions) game.apply(state, action);
  return state;
}

/** Number of moves tried to find one that does not lose at once. */
const MAX_TRIED = 16;

/**
 * The game chosen by `picks`, each an index, modulo their number, of the legal moves; the next moves are
 * tried if that one loses at once. Ends with the picks or the game. Uses only `initialState`, `legalActions`,
 * `apply`, `outcome` and `currentPlayer`, so that faults in `clone` or `undo` do not affect it.
 */
export function chooseGame<State>(game: Game<State>, picks: readonly number[]): Action[] {
  const played: Action[] = [];
  const state = game.initialState();
  for (const pick of picks) {
    if (game.outcome(state) !== null) break;
    const actions = listActions(game, state);
    if (actions.length === 0) break;
    const loss = game.currentPlayer(state) === 0 ? -1 : 1;
    const tried = Math.min(MAX_TRIED, actions.length);
    const candidates = Array.from({ length: tried }, (_, i) => actions[(pick + i) % actions.length]!);
    const losesAtOnce = (action: Action): boolean =>
      game.outcome(playActions(game, [...played, action])) === loss;
    const action = candidates.find((candidate) => !losesAtOnce(candidate)) ?? candidates[0]!;
    game.apply(state, action);
    played.push(action);
  }
  return played;
}

const MAX_PICK = 2 ** 20;

/** Random picks for `chooseGame`. */
export function drawPicks(rng: Rng, count: number): number[] {
  return Array.from({ length: count }, () => rng.integer(MAX_PICK));
}
