import type { Action, Game } from '../env/game.js';
import type { Rng } from '../env/random.js';

/** An agent's decision, and its view of the position. */
export interface Choice {
  readonly action: Action;
  /** In [-1, 1] to the player to move; absent if the agent does not evaluate positions. */
  readonly value?: number;
  /** The line that the agent expects, its own action first. */
  readonly principalVariation?: readonly Action[];
  /** Nodes, simulations, depth, … of this decision, by name. */
  readonly statistics?: Readonly<Record<string, number>>;
}

/** A decision asked of an agent. */
export interface Turn<State> {
  /** Not over. The agent may apply and undo, and leaves it as it was. The same object throughout a game. */
  readonly state: State;
  /** The agent's random stream in this game. */
  readonly rng: Rng;
}

/** A player. One agent can play many games at once; what it keeps of a game, it keeps by state object. */
export interface Agent<State> {
  /** The text that `createAgent` made it from, defaults filled in. */
  readonly name: string;
  readonly game: Game<State>;
  /** One choice a turn, in order. Agents with a network evaluate the positions of all turns together. */
  chooseAll(turns: readonly Turn<State>[]): Promise<readonly Choice[]>;
  /** Frees its network, if it has one; the agent must not be used afterwards. */
  dispose(): Promise<void>;
}
