import type { ThinkingLimits } from './thinking.js';

/** A position to search, and how: plain JSON. */
export interface SearchJob {
  /** Text of the position; undefined for the start of the game. */
  readonly position: string | undefined;
  readonly moves: string;
  /** Seconds that each move took off its player's clock, in games with clocks; absent: none. */
  readonly seconds?: readonly number[] | undefined;
  /** Undefined: those of the agent's text. */
  readonly limits: ThinkingLimits | undefined;
  readonly lines: number;
  /** Plies of the tree to return; absent: 1. */
  readonly treePlies?: number | undefined;
  /** Whether to return the priors of all legal moves. */
  readonly withPolicy?: boolean;
  /** Makes the search forget earlier ones, and begins a random stream; absent: the search is of the same game. */
  readonly freshSeed?: number | undefined;
}
