import { type Action, type Game, outcomeTo } from '../env/game.js';
import type { Rng } from '../env/random.js';
import { type ImmediateAgent, immediateAgent } from './immediate-agent.js';

/** Whether `action`, which is legal, ends the game against the player who plays it. */
function losesAtOnce<State>(game: Game<State>, state: State, action: Action): boolean {
  const loss = outcomeTo(game.currentPlayer(state), -1);
  game.apply(state, action);
  const outcome = game.outcome(state);
  game.undo(state);
  return outcome === loss;
}

/**
 * Draws a legal action that does not lose at once (in Gess: one that keeps a ring), all such with equal
 * probability; if every action loses, any of them. `state` is not over, and left as it was.
 */
export function drawCarefulAction<State>(game: Game<State>, state: State, rng: Rng): Action {
  const legal = new Int32Array(game.maxLegalActions);
  const count = game.legalActions(state, legal);
  // Those that lose go to the end one by one, which costs less than trying all of them.
  for (let left = count; left > 0; left--) {
    const index = rng.integer(left);
    const action = legal[index]!;
    if (!losesAtOnce(game, state, action)) return action;
    legal[index] = legal[left - 1]!;
    legal[left - 1] = action;
  }
  return legal[rng.integer(count)]!;
}

/** Plays any action that does not lose at once, all such with equal probability. */
export function createCarefulAgent<State>(game: Game<State>): ImmediateAgent<State> {
  return immediateAgent(game, 'careful', ({ state, rng }) => ({
    action: drawCarefulAction(game, state, rng),
  }));
}
