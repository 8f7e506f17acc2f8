import type { Action, Game } from '../../env/game.js';
import { MAX_PROMISE, type Evaluation } from '../evaluation.js';
import { NO_ACTION } from './transposition-table.js';

/** Moves that refuted something at the same ply go before all but promising ones. */
const KILLER_ORDER = 40;
const FIRST_ORDER = MAX_PROMISE + 1;
/** History counts are halved when one reaches this. */
const HISTORY_LIMIT = 1 << 24;

/**
 * In which order a search tries moves: the table's, then the promising (captures, threats), killers
 * (Akl and Newborn 1977), then by history (Schaeffer 1983).
 */
export class MoveOrdering<State> {
  private readonly game: Game<State>;
  private readonly evaluation: Evaluation<State>;
  /** `[plies, 2]` actions that caused the last cut-offs at a ply. */
  private readonly killers: Int32Array;
  /** `[numActions]` how often an action caused a cut-off, weighed by depth. */
  private readonly history: Int32Array;

  constructor(game: Game<State>, evaluation: Evaluation<State>, maxPly: number) {
    this.game = game;
    this.evaluation = evaluation;
    this.killers = new Int32Array(2 * maxPly).fill(NO_ACTION);
    this.history = new Int32Array(game.numActions * 2);
  }

  clear(): void {
    this.killers.fill(NO_ACTION);
    this.history.fill(0);
  }

  /** Writes the order of `count` actions at `ply`, greater first, to `orders`. */
  assign(
    state: State,
    ply: number,
    moves: { readonly actions: Int32Array; readonly count: number; readonly first: Action },
    orders: Float64Array,
  ): void {
    const { killers, history, evaluation } = this;
    const { actions, count, first } = moves;
    const killer = killers[2 * ply]!;
    const otherKiller = killers[2 * ply + 1]!;
    const player = this.game.currentPlayer(state);
    const offset = player * this.game.numActions;
    for (let i = 0; i < count; i++) {
      const action = actions[i]!;
      if (action === first) {
        orders[i] = FIRST_ORDER;
        continue;
      }
      const promise = evaluation.promise(state, action);
      const killing = action === killer || action === otherKiller ? KILLER_ORDER : 0;
      orders[i] = Math.max(promise, killing) + history[offset + action]! / (2 * HISTORY_LIMIT);
    }
  }

  /** Notes that `action` refuted the opponent's last move. */
  reward(state: State, ply: number, action: Action, depth: number): void {
    if (this.killers[2 * ply] !== action) {
      this.killers[2 * ply + 1] = this.killers[2 * ply]!;
      this.killers[2 * ply] = action;
    }
    const index = this.game.currentPlayer(state) * this.game.numActions + action;
    this.history[index]! += depth * depth;
    if (this.history[index]! >= HISTORY_LIMIT) {
      for (let i = 0; i < this.history.length; i++) this.history[i]! >>= 1;
    }
  }
}

/**
 * Moves the action of the greatest order, the first of them, among those from `from` on to `from`.
 *
 * @returns its order: 0 when the rest need no sorting.
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
