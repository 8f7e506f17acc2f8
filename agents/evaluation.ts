import type { Action } from '../env/game.js';

/** A hand-written judgement of one game's positions: what makes a search of that game strong. */
export interface Evaluation<State> {
  /**
   * How the position stands for the player to move, as an integer; of a game that goes on. Positive is
   * good. Its size is the evaluation's own, below `MAX_EVALUATION`.
   */
  evaluate(state: State): number;
  /**
   * How promising a legal action looks without playing it, as an integer from 0 (nothing special) to
   * `MAX_PROMISE`: in this order a search tries them.
   */
  promise(state: State, action: Action): number;
  /** The evaluation at which the player to move is taken to win three games in four. */
  readonly scale: number;
}

/** Evaluations are smaller than this. */
export const MAX_EVALUATION = 1_000_000;
/** Promises are at most this. */
export const MAX_PROMISE = 1_000;
