import type { Action, Game } from '../../env/game.js';
import { MAX_EVALUATION, type Evaluation } from '../evaluation.js';
import { bringBestForward, KILLERS, MoveOrdering } from './move-ordering.js';
import {
  type Bound,
  EXACT,
  LOWER,
  NO_ACTION,
  NOT_FOUND,
  TranspositionTable,
  UPPER,
} from './transposition-table.js';

/** A win at the root; one `n` plies away counts `n` less. */
export const WIN = 2 * MAX_EVALUATION;
/** Values beyond this, to either side, are proven wins and losses. */
export const PROVEN = WIN - 1_000;
const INFINITE = 2 * WIN;
/** No iteration goes deeper. */
export const MAX_DEPTH = 64;
/** Nodes between two looks at the clock. */
const CLOCK_NODES = 256;

/** What ends a search; at least one of them. */
export interface AlphaBetaLimits {
  /** Plies, 1..64. */
  readonly depth?: number;
  /** Positions visited. The same limit gives the same result. */
  readonly nodes?: number;
  readonly timeMs?: number;
}

/** What a search found out. */
export interface AlphaBetaResult {
  readonly action: Action;
  /** To the player to move, in units of the evaluation; beyond `PROVEN` a win or loss. */
  readonly value: number;
  /** Plies of the last iteration that was finished. */
  readonly depth: number;
  readonly nodes: number;
  readonly principalVariation: readonly Action[];
}

/** Settings that change how fast a search is, not what it finds. */
export interface AlphaBetaOptions {
  /** Entries of the transposition table, a power of two; 0: none. */
  readonly tableSize?: number;
}

/** Thrown inside a search to leave it when its limit is reached; never leaves this file. */
const OUT_OF_LIMIT = new Error('the limit of the search is reached');

/** A proven value counts plies from the root; in the table, where paths meet, from its own position. */
function toTable(value: number, ply: number): number {
  return value > PROVEN ? value + ply : value < -PROVEN ? value - ply : value;
}

/** Whether a stored value, deep enough, answers a search between `alpha` and `beta`. */
function settles(bound: Bound, value: number, alpha: number, beta: number): boolean {
  return bound === EXACT || (bound === LOWER ? value >= beta : value <= alpha);
}

function fromTable(value: number, ply: number): number {
  return value > PROVEN ? value - ply : value < -PROVEN ? value + ply : value;
}

/**
 * Depth-first search with alpha-beta bounds (Knuth and Moore 1975): iterative deepening, principal-variation
 * search (Marsland 1983), a transposition table. Values are to the player to move (negamax): players alternate.
 *
 * It looks at the clock only where there is a limit of time.
 */
export class AlphaBetaSearch<State> {
  private readonly game: Game<State>;
  private readonly evaluation: Evaluation<State>;
  private readonly table: TranspositionTable;
  private readonly ordering: MoveOrdering<State>;
  /** `[MAX_DEPTH]` buffers of the legal actions of each ply, and of their orders; made when first needed. */
  private readonly actions: Int32Array[] = [];
  private readonly orders: Float64Array[] = [];
  /** `[MAX_DEPTH]` of the node under search at each ply: its lower bound, its best value and action so far. */
  private readonly alphas = new Int32Array(MAX_DEPTH);
  private readonly bestValues = new Int32Array(MAX_DEPTH);
  private readonly bestActions = new Int32Array(MAX_DEPTH);
  /** The position under search; a copy, so that a search can be left in the middle. */
  private state: State;
  private nodes = 0;
  private nodeLimit = Infinity;
  private deadlineMs = Infinity;
  /** The best action of this iteration so far. */
  private rootAction: Action = NO_ACTION;

  constructor(game: Game<State>, evaluation: Evaluation<State>, options: AlphaBetaOptions = {}) {
    this.game = game;
    this.evaluation = evaluation;
    this.table = new TranspositionTable(options.tableSize ?? 1 << 16);
    this.ordering = new MoveOrdering(game, evaluation, MAX_DEPTH);
    this.state = game.initialState();
  }

  /**
   * Finds the best action of `state`, which is not over and stays as it is. Nothing is kept from an earlier
   * search, so the same position and limits give the same result (unless there is a limit of time).
   */
  search(state: State, limits: AlphaBetaLimits): AlphaBetaResult {
    this.begin(state, limits);
    const maxDepth = Math.min(limits.depth ?? MAX_DEPTH, MAX_DEPTH);
    let result = this.firstMove();
    for (let depth = 1; depth <= maxDepth; depth++) {
      const expected = this.rootAction;
      try {
        const value = this.visit(depth, 0, -INFINITE, INFINITE);
        result = this.resultOf(state, depth, value);
      } catch (error) {
        if (error !== OUT_OF_LIMIT) throw error;
        // An iteration tries the last one's best first: what it preferred since is better.
        if (this.rootAction === expected || this.rootAction === NO_ACTION) break;
        result = { ...result, action: this.rootAction, principalVariation: [this.rootAction] };
        break;
      }
      if (Math.abs(result.value) > PROVEN) break;
    }
    return { ...result, nodes: this.nodes };
  }

  private begin(state: State, limits: AlphaBetaLimits): void {
    this.table.clear();
    this.ordering.clear();
    this.state = this.game.clone(state);
    this.nodes = 0;
    this.nodeLimit = limits.nodes ?? Infinity;
    this.deadlineMs = limits.timeMs === undefined ? Infinity : performance.now() + limits.timeMs;
    this.rootAction = NO_ACTION;
  }

  /** What there is to say before the first iteration. */
  private firstMove(): AlphaBetaResult {
    const actions = this.actionsAt(0);
    this.game.legalActions(this.state, actions);
    return { action: actions[0]!, value: 0, depth: 0, nodes: 0, principalVariation: [actions[0]!] };
  }

  /** The result of a finished iteration, its line read from the table as far as it goes. */
  private resultOf(root: State, depth: number, value: number): AlphaBetaResult {
    const { game, table, rootAction } = this;
    const state = game.clone(root);
    const line = [rootAction];
    game.apply(state, rootAction);
    while (line.length < depth && game.outcome(state) === null) {
      const entry = table.find(game.hash(state));
      const action = entry === NOT_FOUND ? NO_ACTION : table.actionOf(entry);
      if (!game.isLegal(state, action)) break;
      line.push(action);
      game.apply(state, action);
    }
    return { action: rootAction, value, depth, nodes: this.nodes, principalVariation: line };
  }

  private actionsAt(ply: number): Int32Array {
    return (this.actions[ply] ??= new Int32Array(this.game.maxLegalActions));
  }

  private ordersAt(ply: number): Float64Array {
    return (this.orders[ply] ??= new Float64Array(this.game.maxLegalActions));
  }

  private countNode(): void {
    this.nodes += 1;
    if (this.nodes > this.nodeLimit) throw OUT_OF_LIMIT;
    if (this.deadlineMs !== Infinity && this.nodes % CLOCK_NODES === 0) {
      if (performance.now() >= this.deadlineMs) throw OUT_OF_LIMIT;
    }
  }

  /**
   * The value of the position, which is not over, `depth` >= 1 plies deep: exact between `alpha` and `beta`,
   * else a bound.
   */
  private visit(depth: number, ply: number, alpha: number, beta: number): number {
    const { game, state, table } = this;
    const key = game.hash(state);
    const entry = ply === 0 ? NOT_FOUND : table.find(key);
    if (entry !== NOT_FOUND && table.depthOf(entry) >= depth) {
      const known = fromTable(table.valueOf(entry), ply);
      if (settles(table.boundOf(entry), known, alpha, beta)) return known;
    }
    const first = ply === 0 ? this.rootAction : entry === NOT_FOUND ? NO_ACTION : table.actionOf(entry);
    this.alphas[ply] = alpha;
    this.bestValues[ply] = -INFINITE;
    this.bestActions[ply] = NO_ACTION;
    this.tryHints(first, depth, ply, beta);
    if (this.bestValues[ply] < beta) this.tryRest(first, depth, ply, beta);
    const best = this.bestValues[ply];
    const action = this.bestActions[ply];
    if (best >= beta) this.ordering.reward(state, ply, action, depth);
    const bound = best >= beta ? LOWER : best > alpha ? EXACT : UPPER;
    table.store(key, { depth, bound, value: toTable(best, ply), action });
    return best;
  }

  /** Tries the table's action and the killers: where one refutes, listing all others was saved. */
  private tryHints(first: Action, depth: number, ply: number, beta: number): void {
    const { game, state, ordering } = this;
    if (first !== NO_ACTION && game.isLegal(state, first)) this.tryAction(first, depth, ply, beta);
    for (let slot = 0; slot < KILLERS && this.bestValues[ply]! < beta; slot++) {
      const killer = ordering.killer(ply, slot);
      if (killer === NO_ACTION || killer === first) continue;
      if (game.isLegal(state, killer)) this.tryAction(killer, depth, ply, beta);
    }
  }

  /** Tries all actions that `tryHints` has not, the promising first. */
  private tryRest(first: Action, depth: number, ply: number, beta: number): void {
    const { ordering, state } = this;
    const actions = this.actionsAt(ply);
    const orders = this.ordersAt(ply);
    const listed = this.game.legalActions(state, actions);
    // The killers of this ply are still those of `tryHints`: only other nodes of this ply change them.
    let count = 0;
    for (let i = 0; i < listed; i++) {
      const action = actions[i]!;
      if (action !== first && !ordering.isKiller(ply, action)) actions[count++] = action;
    }
    ordering.assign(state, actions, count, orders);
    let isSorted = false;
    for (let i = 0; i < count && this.bestValues[ply]! < beta; i++) {
      if (!isSorted) isSorted = bringBestForward(actions, orders, i, count) === 0;
      this.tryAction(actions[i]!, depth, ply, beta);
    }
  }

  /** Plays an action, judges it and takes it back; notes it if it is the best of the node at `ply`. */
  private tryAction(action: Action, depth: number, ply: number, beta: number): void {
    const { game, state, bestValues } = this;
    game.apply(state, action);
    const alpha = Math.max(this.alphas[ply]!, bestValues[ply]!);
    const value = this.valueOfMove(depth - 1, ply + 1, alpha, beta);
    game.undo(state);
    if (value <= bestValues[ply]!) return;
    bestValues[ply] = value;
    this.bestActions[ply] = action;
    if (ply === 0) this.rootAction = action;
  }

  /**
   * The value of the position to the player who has just moved there, `depth` >= 0 plies deep. Once a move
   * has raised `alpha`, the others are first only asked whether they are better.
   */
  private valueOfMove(depth: number, ply: number, alpha: number, beta: number): number {
    const { game, state } = this;
    this.countNode();
    const outcome = game.outcome(state);
    if (outcome !== null) {
      const toMover = game.currentPlayer(state) === 1 ? outcome : -outcome;
      // Adding 0 makes 0 of -0.
      return toMover * (WIN - ply) + 0;
    }
    if (depth === 0) return -this.evaluation.evaluate(state);
    if (alpha !== -INFINITE && beta - alpha > 1) {
      const value = -this.visit(depth, ply, -alpha - 1, -alpha);
      if (value <= alpha || value >= beta) return value;
    }
    return -this.visit(depth, ply, -beta, -alpha);
  }
}
