import type { Action, Game } from '../../env/game.js';
import type { Rng } from '../../env/random.js';
import type { SearchedMove } from './best-replies.js';

/**
 * Limits of one search; it stops at the first it reaches. Without any, it continues until it is stopped or
 * proves the result.
 */
export interface ThinkingLimits {
  /** Plies, 1..64; alpha-beta only. */
  readonly depth?: number | undefined;
  /** Positions: visited by alpha-beta, evaluated by MCTS. */
  readonly nodes?: number | undefined;
  /** Simulations; MCTS only. */
  readonly simulations?: number | undefined;
  readonly timeMs?: number | undefined;
}

/** A move and the result that the search expects. */
export interface Candidate {
  readonly action: Action;
  /** In [-1, 1] to the player to move; absent if the agent does not evaluate positions. */
  readonly value?: number | undefined;
  /** Of alpha-beta: the value in units of its evaluation, unless the result is proven. */
  readonly evaluation?: number | undefined;
  /** Plies to the end of the game, if the result after this move is proven and the length known. */
  readonly pliesToEnd?: number | undefined;
  /** MCTS: visits of the move, and its prior probability. */
  readonly visits?: number | undefined;
  readonly prior?: number | undefined;
  /** MCTS: the moves searched most after this one, if the options ask for them; their values are to who makes them. */
  readonly replies?: readonly SearchedMove[] | undefined;
  /** The expected line, this action first. */
  readonly principalVariation: readonly Action[];
}

/** A legal move and its probability before the search. */
export interface MovePrior {
  readonly action: Action;
  readonly prior: number;
}

/** The state of a search, at its end or in progress. */
export interface Thought {
  /** At least one, the best first. */
  readonly candidates: readonly Candidate[];
  /** Of alpha-beta: depth of the last finished iteration. */
  readonly depth?: number | undefined;
  readonly nodes?: number | undefined;
  readonly simulations?: number | undefined;
  /** Of MCTS: visits of all moves together, those kept from an earlier search included. */
  readonly visits?: number | undefined;
  /** Of all legal moves, by action, if the options ask for it and the agent has priors. */
  readonly policy?: readonly MovePrior[] | undefined;
}

/** Options for searching one position. */
export interface ThinkingOptions {
  readonly limits: ThinkingLimits;
  /** Greatest number of candidates, 1 by default. */
  readonly lines?: number | undefined;
  /** Plies of the tree to return, of `lines` moves at each node; 1 by default: the candidates without replies. */
  readonly treePlies?: number | undefined;
  /** Whether to return the priors of all legal moves. Defaults to false. */
  readonly withPolicy?: boolean | undefined;
  /** Polled at least every few milliseconds: true ends the search with its results so far. */
  readonly shouldStop: () => boolean;
  /** Receives intermediate states. */
  readonly onThought?: ((thought: Thought) => void) | undefined;
}

/** Searches single positions for people and other programs: a search can be watched and stopped. */
export interface Thinker<State> {
  /** The agent's text. */
  readonly name: string;
  readonly game: Game<State>;
  /** Limits of the agent's text. */
  readonly limits: ThinkingLimits;
  /** Forgets the results of earlier searches; `rng` is the random stream of the next game. */
  newGame(rng: Rng): void;
  /**
   * Searches `state`, which is not over and is left unchanged; `newGame` comes first. One call at a time. Reuses
   * results for earlier positions of the game.
   *
   * @throws errors of the evaluator.
   */
  think(state: State, options: ThinkingOptions): Promise<Thought>;
  /** Frees its network, if it has one; it must not be used afterwards. */
  dispose(): Promise<void>;
}
