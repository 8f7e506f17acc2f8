import type { Game } from '../../env/game.js';
import { type ImmediateAgent, immediateAgent } from './immediate-agent.js';

/** Plays any legal action, all with equal probability. */
export function createRandomAgent<State>(game: Game<State>): ImmediateAgent<State> {
  const legal = new Int32Array(game.maxLegalActions);
  return immediateAgent(game, 'random', ({ state, rng }) => {
    const count = game.legalActions(state, legal);
    return { action: legal[rng.integer(count)]! };
  });
}
