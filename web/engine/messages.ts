import type { Action } from '../../env/game.js';
import type { Candidate, ThinkingLimits } from '../../agents/thinking/thinking.js';

/** A position to think about: the first position of its game, and the moves since. */
export interface GameLine {
  readonly game: string;
  readonly rules: string;
  /** Text of the first position. */
  readonly start: string;
  readonly actions: readonly Action[];
  /** Seconds that each move took; 0 where missing. */
  readonly seconds: readonly number[];
}

/** A question to the engine. */
export interface Question {
  readonly line: GameLine;
  /** The agent's text; its model is the name of a file in `models/`. */
  readonly agent: string;
  /** Seed of the agent's random stream. */
  readonly seed: number;
  /** Limits on top of those of the agent's text. */
  readonly limits?: ThinkingLimits;
  /** Greatest number of candidates with their lines, 1 by default. */
  readonly lines?: number;
  /** Whether to include the prior of every legal move. */
  readonly wantsPriors?: boolean;
}

/** The prior probability of a legal move. */
export interface Prior {
  readonly action: Action;
  readonly prior: number;
}

/** The engine's view of a position, final or in progress. */
export interface EngineThought {
  /** The best first. */
  readonly candidates: readonly Candidate[];
  readonly depth?: number;
  readonly nodes?: number;
  readonly simulations?: number;
  /** If asked for, and if the agent has them. */
  readonly priors?: readonly Prior[];
}

/** From the page to the worker. */
export type Request =
  | { readonly kind: 'think'; readonly id: number; readonly question: Question }
  | { readonly kind: 'stop'; readonly id: number }
  | { readonly kind: 'load'; readonly id: number; readonly game: string; readonly rules: string };

/** From the worker to the page; `id` is that of the request. */
export type Answer =
  | {
      readonly kind: 'thought';
      readonly id: number;
      readonly thought: EngineThought;
      readonly isLast: boolean;
    }
  | { readonly kind: 'loaded'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };
