import { type Action, type Game, resultOf } from '../../env/game.js';
import type { Rng } from '../../env/random.js';
import { type ImmediateAgent, immediateAgent } from './immediate-agent.js';

/**
 * Samples uniformly from the legal actions that do not lose immediately (in Gess: those that keep a ring), or from all
 * if every action loses. `state` is not over and is left unchanged.
 */
export function drawCarefulAction<State>(game: Game<State>, state: State, rng: Rng): Action {
  const legal = new Int32Array(game.maxLegalActions);
  const count = game.legalActions(state, legal);
  // Losing moves are moved to the end one by one, which costs less than testing all moves.
  for (let left = count; left > 0; left--) {
    const index = rng.integer(left);
    const action = legal[index]!;
    if (resultOf(game, state, action) !== -1) return action;
    legal[index] = legal[left - 1]!;
    legal[left - 1] = action;
  }
  return legal[rng.integer(count)]!;
}

/** Plays a uniformly random action among those that do not lose immediately. */
export function createCarefulAgent<State>(game: Game<State>): ImmediateAgent<State> {
  return immediateAgent(game, 'careful', ({ state, rng }) => ({
    action: drawCarefulAction(game, state, rng),
  }));
}
