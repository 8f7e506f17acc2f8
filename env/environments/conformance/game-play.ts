import type { Action, Game } from '../../game.js';
import type { Rng } from '../../random.js';

/** The legal actions, ascending, in a new array. */
export function listActions<State>(game: Game<State>, state: State): Int32Array {
  const out = new Int32Array(game.maxLegalActions);
  return out.slice(0, game.legalActions(state, out));
}

/** The state after some actions of the initial one. */
export function playActions<State>(game: Game<State>, actions: readonly Action[]): State {
  const state = game.initialState();
  for (const action of actions) game.apply(state, action);
  return state;
}

/** So many moves are tried for one that does not lose at once. */
const MAX_TRIED = 16;

/**
 * The game that numbers choose, each among the moves at hand: the first from there that does not lose at once,
 * if one is soon found. It ends with the numbers or with the game. Only `initialState`, `legalActions`, `apply`,
 * `outcome` and `currentPlayer` are used, so that a fault in `clone` or `undo` does not spoil it.
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

/** Numbers for `chooseGame`. */
export function drawPicks(rng: Rng, count: number): number[] {
  return Array.from({ length: count }, () => rng.integer(MAX_PICK));
}
