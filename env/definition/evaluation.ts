import type { Action } from '../game.js';

/** Evaluations are smaller than this. */
export const MAX_EVALUATION = 1_000_000;
/** Promises are at most this. */
export const MAX_PROMISE = 1_000;

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
  /** Whether a ko rule lets the value of a board depend on those before it. Absent: it does not. */
  readonly dependsOnHistory?: boolean;
  /** What a search may know besides; absent: nothing. */
  readonly tactics?: Tactics<State>;
}

/**
 * What a search can ask of a position that is not over, to look further where it matters and not at all where
 * it does not. Answers that prove something (`winningAction`) are exact; the others may err, and a search takes
 * no proof from them.
 */
export interface Tactics<State> {
  /** A legal action that wins at once, or `NO_ACTION` if there is none. */
  winningAction(state: State): Action;
  /** Writes the legal actions that win material to the front of `out`, the greatest gain first; returns how many. */
  captures(state: State, out: Int32Array): number;
  /** What `action`, one of `captures`, adds to the evaluation at least, roughly; positive. */
  gainOf(state: State, action: Action): number;
  /** Where a player who need not move is never worse off; absent: where having to move may hurt. */
  readonly quiet?: QuietTactics<State>;
}

/** For games in which a player nearly always has a harmless move, so that passing tells how good a position is. */
export interface QuietTactics<State> {
  /** Whether the opponent would win at once if the player to move passed. */
  isThreatened(state: State): boolean;
  /** Whether the player to move has so little left that having to move may hurt (zugzwang). */
  maySuffer(state: State): boolean;
  /** Hands the move to the opponent, until `unpass`. */
  pass(state: State): void;
  /** Takes back the last `pass`. */
  unpass(state: State): void;
  /** What a move that takes nothing adds to the evaluation at most, nearly always. */
  readonly margin: number;
}

/** The evaluation of a game without a hand-written one: every position is even. */
export const NEUTRAL_EVALUATION: Evaluation<unknown> = { evaluate: () => 0, promise: () => 0, scale: 1 };
