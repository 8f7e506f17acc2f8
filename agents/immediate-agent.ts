import type { Game } from '../env/game.js';
import type { Agent, Choice, Turn } from './agent.js';

/** An agent that chooses without waiting: it has no network to run. */
export interface ImmediateAgent<State> extends Agent<State> {
  /** The choice that `chooseAll` would return for this turn. */
  choose(turn: Turn<State>): Choice;
}

/** Makes an agent of a way to choose, turn by turn; it holds nothing to free. */
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
