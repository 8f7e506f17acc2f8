import type { Action, Game } from '../env/game.js';
import type { Rng } from '../env/random.js';

/** What an agent decided, and what it thought of it. */
export interface Choice {
  readonly action: Action;
  /** In [-1, 1] to the player to move; absent where the agent has no opinion. */
  readonly value?: number;
  /** The line the agent expects, its own action first. */
  readonly principalVariation?: readonly Action[];
  /** Nodes, simulations, depth, … of this decision, by name. */
  readonly statistics?: Readonly<Record<string, number>>;
}

/** One decision asked of an agent. */
export interface Turn<State> {
  /** Not over. The agent may apply and undo, and leaves it as it was. The same object all game long. */
  readonly state: State;
  /** The agent's stream in this game. */
  readonly rng: Rng;
}

/** A player. One agent can play many games at once; what it keeps of a game it keeps by state object. */
export interface Agent<State> {
  /** Its text: what `createAgent` made it from, defaults filled in. */
  readonly name: string;
  readonly game: Game<State>;
  /** One choice a turn, in order. Agents with a network evaluate the turns' positions together. */
  chooseAll(turns: readonly Turn<State>[]): Promise<readonly Choice[]>;
  /** Frees what it holds (a session of ONNX Runtime). */
  dispose(): Promise<void>;
}

/** An agent that waits for nothing: it has no network to ask. */
export interface ImmediateAgent<State> extends Agent<State> {
  /** What `chooseAll` would choose for this turn. */
  choose(turn: Turn<State>): Choice;
}
