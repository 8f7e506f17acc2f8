import type { Action } from '../game.js';
import type { Selectivity } from './selectivity.js';

/** Exclusive upper bound of the absolute value of an evaluation. */
export const MAX_EVALUATION = 1_000_000;
/** Upper bound of a promise. */
export const MAX_PROMISE = 1_000;

/** A hand-written evaluation of one game's positions, for alpha-beta search. */
export interface Evaluation<State> {
  /**
   * The value of an unfinished position for the player to move: an integer, positive if good, in the
   * evaluation's own unit, with an absolute value below `MAX_EVALUATION`.
   */
  evaluate(state: State): number;
  /**
   * The promise of a legal action, without playing it: an integer from 0 (nothing special) to `MAX_PROMISE`.
   * A search tries actions in descending order of promise.
   */
  promise(state: State, action: Action): number;
  /** The evaluation at which the player to move is assumed to win three games in four. */
  readonly scale: number;
  /** Whether a ko rule makes the value of a board depend on earlier ones. Defaults to false. */
  readonly dependsOnHistory?: boolean;
  /** Reductions and pruning that a search may use at nodes without a threat. Defaults to the search's own choice. */
  readonly selectivity?: Selectivity;
  /** Further knowledge for a search. Defaults to none. */
  readonly tactics?: Tactics<State>;
}

/**
 * Knowledge of unfinished positions with which a search extends important lines and prunes others.
 * `winningAction` is exact; the other answers may be wrong, so they prove nothing.
 */
export interface Tactics<State> {
  /** A legal action that wins at once, or `NO_ACTION` if there is none. */
  winningAction(state: State): Action;
  /**
   * Writes the legal actions that win material to the front of `out`, the greatest gain first; returns their
   * number.
   */
  captures(state: State, out: Int32Array): number;
  /** Rough lower bound of the gain in evaluation by `action`, one of `captures`; positive. */
  gainOf(state: State, action: Action): number;
  /** For games in which passing hardly ever helps; absent if it may. */
  readonly quiet?: QuietTactics<State>;
}

/**
 * For games in which a player nearly always has a harmless move, so that a pass bounds the value of a
 * position.
 */
export interface QuietTactics<State> {
  /** Whether the opponent would win at once if the player to move passed. */
  isThreatened(state: State): boolean;
  /** Whether the player to move may be in zugzwang, with little material left. */
  maySuffer(state: State): boolean;
  /** Passes the move to the opponent, until `unpass`. */
  pass(state: State): void;
  /** Takes back the last `pass`. */
  unpass(state: State): void;
  /** Upper bound, in nearly all cases, of the gain in evaluation by a move without a capture. */
  readonly margin: number;
}

/** The evaluation of a game without a hand-written one: every position is even. */
export const NEUTRAL_EVALUATION: Evaluation<unknown> = { evaluate: () => 0, promise: () => 0, scale: 1 };
