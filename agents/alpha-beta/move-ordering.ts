import { type Action, type Game, NO_ACTION } from '../../env/game.js';
import type { Evaluation } from '../../env/definition/evaluation.js';

/** Killers remembered per ply: the last actions that caused cut-offs there. */
export const KILLERS = 2;
/** Histories stay between this and its negative. */
const HISTORY_LIMIT = 1 << 14;
/** Moves of this order or above capture or threaten something. */
export const NOISY = 1;

/**
 * Orders the moves that a search tries after the table's: killers (Akl and Newborn 1977), promising moves (captures,
 * threats), then by history (Schaeffer 1983).
 */
export class MoveOrdering<State> {
  private readonly game: Game<State>;
  private readonly evaluation: Evaluation<State>;
  /** `[plies, 2]` actions that caused the last cut-offs at a ply. */
  private readonly killers: Int32Array;
  /** `[2, numActions]` cut-offs by each player's action less its failures, weighted by depth. */
  private readonly history: Int32Array;

  constructor(game: Game<State>, evaluation: Evaluation<State>, maxPly: number) {
    this.game = game;
    this.evaluation = evaluation;
    this.killers = new Int32Array(KILLERS * maxPly).fill(NO_ACTION);
    this.history = new Int32Array(game.numActions * 2);
  }

  /** Forgets killers and history. */
  clear(): void {
    this.killers.fill(NO_ACTION);
    this.history.fill(0);
  }

  /** Begins another search: forgets the killers, whose plies it counts from another root, and half of the history. */
  age(): void {
    this.killers.fill(NO_ACTION);
    this.history.set(this.history.map((value) => value / 2));
  }

  /**
   * The last action that caused a cut-off at `ply` (`slot` 0), or the one before it (1); `NO_ACTION` if there is none.
   */
  killer(ply: number, slot: number): Action {
    return this.killers[KILLERS * ply + slot]!;
  }

  /** Whether `action` is one of the killers at this ply. */
  isKiller(ply: number, action: Action): boolean {
    return this.killers[KILLERS * ply] === action || this.killers[KILLERS * ply + 1] === action;
  }

  /**
   * Writes the order of each of `count` actions of `state` to `orders`: the greatest is tried first, quiet moves are
   * below `NOISY`.
   */
  assign(state: State, actions: Int32Array, count: number, orders: Float64Array): void {
    const { history, evaluation } = this;
    const offset = this.game.currentPlayer(state) * this.game.numActions;
    for (let i = 0; i < count; i++) {
      const action = actions[i]!;
      orders[i] = evaluation.promise(state, action) + history[offset + action]! / (2 * HISTORY_LIMIT);
    }
  }

  /** Records that `action` caused a cut-off. */
  reward(state: State, ply: number, action: Action, depth: number): void {
    if (this.killers[KILLERS * ply] !== action) {
      this.killers[KILLERS * ply + 1] = this.killers[KILLERS * ply]!;
      this.killers[KILLERS * ply] = action;
    }
    this.adjust(this.game.currentPlayer(state), action, depth * depth);
  }

  /** Records that `actions[0 .. count)` were tried without a cut-off. */
  blame(state: State, actions: Int32Array, count: number, depth: number): void {
    const player = this.game.currentPlayer(state);
    for (let i = 0; i < count; i++) this.adjust(player, actions[i]!, -depth * depth);
  }

  /** Adds `bonus` to a history, damped near its limit, so that old entries fade. */
  private adjust(player: number, action: Action, bonus: number): void {
    const index = player * this.game.numActions + action;
    const value = this.history[index]!;
    this.history[index] = value + bonus - Math.trunc((value * Math.abs(bonus)) / HISTORY_LIMIT);
  }
}

/**
 * Swaps the action of the greatest order at or after `from`, the first of equals, to `from`.
 *
 * @returns its order.
 */
export function bringBestForward(
  actions: Int32Array,
  orders: Float64Array,
  from: number,
  count: number,
): number {
  let best = from;
  for (let i = from + 1; i < count; i++) if (orders[i]! > orders[best]!) best = i;
  const action = actions[best]!;
  const order = orders[best]!;
  actions[best] = actions[from]!;
  orders[best] = orders[from]!;
  actions[from] = action;
  orders[from] = order;
  return order;
}
