import type { Thought, ThinkingLimits } from '../../agents/thinking/thinking.js';

/** The player of a search thread: plain JSON. */
export interface SearchPlayer {
  readonly game: string;
  readonly rules: string;
  /** The agent's text. */
  readonly agent: string;
  readonly seed: number;
  /** Files of games from outside the package. */
  readonly gameModules: readonly string[];
}

/** A position to search, and how. */
export interface SearchJob {
  /** Text of the position; undefined for the start of the game. */
  readonly position: string | undefined;
  readonly moves: string;
  /** Undefined: those of the agent's text. */
  readonly limits: ThinkingLimits | undefined;
  readonly lines: number;
  /** Whether to return the priors of all legal moves. */
  readonly withPolicy?: boolean;
  /** Makes the search forget earlier ones, and begins a random stream; absent: the search is of the same game. */
  readonly freshSeed?: number | undefined;
}

/** To the search thread. After `close` it ends. */
export type SearchRequest =
  | { readonly kind: 'close' }
  | { readonly kind: 'load'; readonly player: SearchPlayer }
  | { readonly kind: 'new-game' }
  | { readonly kind: 'search'; readonly job: SearchJob };

/** From the search thread. `loaded`, `done` and `failed` each answer one request; the other requests have no answer. */
export type SearchReport =
  | { readonly kind: 'loaded'; readonly name: string }
  | { readonly kind: 'thought'; readonly thought: Thought; readonly milliseconds: number }
  | { readonly kind: 'done'; readonly thought: Thought; readonly milliseconds: number }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

/** Initial data of a search thread. */
export interface SearchThreadData {
  /** One 32-bit word: 1 asks the running search to stop. */
  readonly stopFlag: Int32Array;
}
