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

/** A request for a decision. */
export interface Turn<State> {
  /** Not over. The agent may apply and undo moves, but restores it. The same object throughout a game. */
  readonly state: State;
  /** The agent's random stream in this game. */
  readonly rng: Rng;
}

/** A player. One agent can play many games at once; it identifies a game by its state object. */
export interface Agent<State> {
  /** The text from which `createAgent` made it, with defaults filled in. */
  readonly name: string;
  readonly game: Game<State>;
  /** Whether it plays one game at a time and may fail during it, because another program plays. Defaults to false. */
  readonly playsOneGame?: boolean;
  /** Gets ready for these turns: a match calls it before `chooseAll`, and does not count its time. */
  prepare?(turns: readonly Turn<State>[]): Promise<void>;
  /** One choice for each turn, in order. Agents with a network evaluate the positions of all turns together. */
  chooseAll(turns: readonly Turn<State>[]): Promise<readonly Choice[]>;
  /** Frees its network, if it has one; the agent must not be used afterwards. */
  dispose(): Promise<void>;
}
