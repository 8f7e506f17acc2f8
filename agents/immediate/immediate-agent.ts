import type { Game } from '../../env/game.js';
import type { Agent, Choice, Turn } from '../agent.js';

/** An agent that chooses synchronously: it has no network to run. */
export interface ImmediateAgent<State> extends Agent<State> {
  /** The choice that `chooseAll` would return for this turn. */
  choose(turn: Turn<State>): Choice;
}

/** Makes an agent from a function that chooses for one turn; it holds nothing to free. */
export function immediateAgent<State>(
  game: Game<State>,
  name: string,
  choose: (turn: Turn<State>) => Choice,
): ImmediateAgent<State> {
  return {
    name,
    game,
    choose,
    chooseAll: (turns) => Promise.resolve(turns.map((turn) => choose(turn))),
    dispose: () => Promise.resolve(),
  };
}
