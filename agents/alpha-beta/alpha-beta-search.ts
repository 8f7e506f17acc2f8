import { type Action, type Game, NO_ACTION } from '../../env/game.js';
import type { Evaluation, QuietTactics, Tactics } from '../heuristics/evaluation.js';
import type { AlphaBetaLimits, AlphaBetaOptions, AlphaBetaResult } from './alpha-beta-options.js';
import { bringBestForward, KILLERS, MoveOrdering, NOISY } from './move-ordering.js';
import { OUT_OF_LIMIT, SearchBudget } from './alpha-beta-budget.js';
import {
  fromTable,
  INFINITE,
  isProven,
  MAX_DEPTH,
  pliesToEnd,
  PROVEN,
  toTable,
  WIN,
} from './search-values.js';
import { type Bound, EXACT, LOWER, NOT_FOUND, TranspositionTable, UPPER } from './transposition-table.js';

/** Captures in a row that are looked at past the last ply. */
const CAPTURE_PLIES = 4;
/** Threats on one line that are answered past the last ply. */
const MAX_EXTENSIONS = 2;
/** Plies that a line can be longer than an iteration is deep. */
const MAX_PLIES = MAX_DEPTH + CAPTURE_PLIES + 2 * MAX_EXTENSIONS + 1;
/** From this many plies on, passing is tried. */
const NULL_MOVE_DEPTH = 2;
/** Plies that a search after passing is shallower by, besides the pass. */
const NULL_MOVE_REDUCTION = 2;
/** From this move of a node on, quiet ones are searched less deep first. */
const FIRST_LATE_MOVE = 4;
/** From this move on, two plies less. */
const VERY_LATE_MOVE = 24;
/** In place of a hash where none may be repeated. */
const NO_POSITION = -1;
/** In place of a value where a node must be searched. */
const NO_VALUE = INFINITE + 1;

/** Whether a stored value, deep enough, answers a search between `alpha` and `beta`. */
function settles(bound: Bound, value: number, alpha: number, beta: number): boolean {
  return bound === EXACT || (bound === LOWER ? value >= beta : value <= alpha);
}

/**
 * Depth-first search with alpha-beta bounds (Knuth and Moore 1975): iterative deepening, principal-variation
 * search (Marsland 1983), a transposition table, and what `AlphaBetaOptions` lists. Values are to the player
 * to move (negamax): players alternate.
 *
 * A proven value rests on moves played out only: no margin and no pass is part of the proof.
 */
export class AlphaBetaSearch<State> {
  private readonly game: Game<State>;
  private readonly evaluation: Evaluation<State>;
  private readonly options: Required<AlphaBetaOptions>;
  private readonly repeats: boolean;
  private readonly tactics: Tactics<State> | undefined;
  private readonly quiet: QuietTactics<State> | undefined;
  private readonly table: TranspositionTable;
  private readonly ordering: MoveOrdering<State>;
  private readonly budget = new SearchBudget();
  /** `[MAX_PLIES]` buffers of the legal actions of each ply, and of their orders; made when first needed. */
  private readonly actions: Int32Array[] = [];
  private readonly orders: Float64Array[] = [];
  /** `[MAX_PLIES]` of the node under search at each ply: its window, its best value and action, moves tried. */
  private readonly alphas = new Int32Array(MAX_PLIES);
  private readonly betas = new Int32Array(MAX_PLIES);
  private readonly bestValues = new Int32Array(MAX_PLIES);
  private readonly bestActions = new Int32Array(MAX_PLIES);
  private readonly tried = new Int32Array(MAX_PLIES);
  /** `[MAX_PLIES]` 1 where the opponent threatens to win, and where the move before was a pass. */
  private readonly threatened = new Uint8Array(MAX_PLIES);
  private readonly passed = new Uint8Array(MAX_PLIES);
  /** `[MAX_PLIES]` hashes of the positions on the line under search, or `NO_POSITION`; where repetitions count. */
  private readonly line = new Float64Array(MAX_PLIES);
  /** Hashes of the positions that the game had before the root; where repetitions count. */
  private readonly past = new Set<number>();
  /** Threats being answered past the last ply on the line under search. */
  private extensions = 0;
  /** The position under search; a copy, so that a search can be left in the middle. */
  private state: State;
  /** The best action of this iteration so far. */
  private rootAction: Action = NO_ACTION;

  constructor(game: Game<State>, evaluation: Evaluation<State>, options: AlphaBetaOptions = {}) {
    this.game = game;
    this.evaluation = evaluation;
    this.options = {
      tableSize: 1 << 16,
      keepTable: false,
      quiescence: true,
      aspiration: true,
      lateMoveReductions: true,
      nullMove: true,
      mateDistance: true,
      repetition: true,
      dependsOnHistory: evaluation.dependsOnHistory ?? false,
      ...options,
    };
    // A ko rule sees to repetitions itself.
    this.repeats = this.options.repetition && !this.options.dependsOnHistory;
    this.tactics = this.options.quiescence ? evaluation.tactics : undefined;
    this.quiet = this.tactics?.quiet;
    this.table = new TranspositionTable(this.options.tableSize);
    this.ordering = new MoveOrdering(game, evaluation, MAX_PLIES);
    this.state = game.initialState();
  }

  /**
   * Finds the best action of `state`, which is not over and stays as it is. Unless the table is kept, nothing
   * is from an earlier search, so the same position and limits give the same result (unless there is a
   * limit of time).
   */
  search(state: State, limits: AlphaBetaLimits): AlphaBetaResult {
    this.begin(state, limits);
    const maxDepth = Math.min(limits.depth ?? MAX_DEPTH, MAX_DEPTH);
    let result = this.firstMove();
    for (let depth = 1; depth <= maxDepth; depth++) {
      const expected = this.rootAction;
      try {
        const value = this.iterate(depth, result.value);
        result = this.resultOf(state, depth, value);
      } catch (error) {
        if (error !== OUT_OF_LIMIT) throw error;
        // An iteration tries the last one's best first: what it preferred since is better.
        if (this.rootAction === expected || this.rootAction === NO_ACTION) break;
        result = { ...result, action: this.rootAction, principalVariation: [this.rootAction] };
        break;
      }
      if (isProven(result.value)) break;
    }
    return { ...result, nodes: this.budget.nodes };
  }

  private begin(state: State, limits: AlphaBetaLimits): void {
    if (this.options.keepTable) this.table.age();
    else this.table.clear();
    this.ordering.clear();
    this.state = this.game.clone(state);
    this.budget.begin(limits);
    this.passed.fill(0);
    this.extensions = 0;
    this.rootAction = NO_ACTION;
    this.past.clear();
    if (this.repeats) this.rememberGame(state);
  }

  /** Notes the positions that led to the root. */
  private rememberGame(root: State): void {
    const { game, past } = this;
    this.line[0] = game.hash(root);
    const earlier = game.clone(root);
    while (game.historyLength(earlier) > 0) {
      game.undo(earlier);
      past.add(game.hash(earlier));
    }
  }

  /** What there is to say before the first iteration. */
  private firstMove(): AlphaBetaResult {
    const actions = this.actionsAt(0);
    this.game.legalActions(this.state, actions);
    return { action: actions[0]!, value: 0, depth: 0, nodes: 0, principalVariation: [actions[0]!] };
  }

  /** The value at the root, `depth` plies deep; first within a narrow window around the one before. */
  private iterate(depth: number, previous: number): number {
    const { scale } = this.evaluation;
    if (!this.options.aspiration || depth < 3) return this.visit(depth, 0, -INFINITE, INFINITE);
    let margin = Math.max(1, Math.round(scale / 8));
    let alpha = previous - margin;
    let beta = previous + margin;
    for (;;) {
      const value = this.visit(depth, 0, alpha, beta);
      if (value > alpha && value < beta) return value;
      margin *= 4;
      const isWide = margin > 8 * scale;
      if (value <= alpha) alpha = isWide ? -INFINITE : value - margin;
      else beta = isWide ? INFINITE : value + margin;
    }
  }

  /** The result of a finished iteration, its line read from the table as far as it goes. */
  private resultOf(root: State, depth: number, value: number): AlphaBetaResult {
    const { game, table, rootAction } = this;
    const state = game.clone(root);
    const line = [rootAction];
    const length = isProven(value) ? pliesToEnd(value) : depth;
    game.apply(state, rootAction);
    while (line.length < length && game.outcome(state) === null) {
      let action = this.tactics?.winningAction(state) ?? NO_ACTION;
      const entry = table.find(game.hash(state));
      if (action === NO_ACTION && entry !== NOT_FOUND) action = table.actionOf(entry);
      if (!game.isLegal(state, action)) break;
      line.push(action);
      game.apply(state, action);
    }
    return { action: rootAction, value, depth, nodes: this.budget.nodes, principalVariation: line };
  }

  private actionsAt(ply: number): Int32Array {
    return (this.actions[ply] ??= new Int32Array(this.game.maxLegalActions));
  }

  private ordersAt(ply: number): Float64Array {
    return (this.orders[ply] ??= new Float64Array(this.game.maxLegalActions));
  }

  /** The value of the position, which is not over, `depth` plies deep: exact between `alpha` and `beta`, else a bound. */
  private valueAt(depth: number, ply: number, alpha: number, beta: number): number {
    if (depth > 0) return this.visit(depth, ply, alpha, beta);
    if (this.tactics === undefined) return this.evaluation.evaluate(this.state);
    return this.quiesce(CAPTURE_PLIES, ply, alpha, beta);
  }

  /**
   * The value of the position, which is not over, `depth` >= 1 plies deep: exact between `alpha` and `beta`,
   * else a bound.
   */
  private visit(depth: number, ply: number, alpha: number, beta: number): number {
    const { state, table } = this;
    if (this.options.mateDistance && ply > 0) {
      alpha = Math.max(alpha, ply - WIN);
      beta = Math.min(beta, WIN - ply - 1);
      if (alpha >= beta) return alpha;
    }
    const entry = ply === 0 ? NOT_FOUND : table.find(this.game.hash(state));
    const known = entry === NOT_FOUND ? NO_VALUE : this.knownValue(entry, depth, ply, alpha, beta);
    if (known !== NO_VALUE) return known;
    const win = this.winningAction();
    if (win !== NO_ACTION) {
      if (ply === 0) this.rootAction = win;
      return WIN - ply - 1;
    }
    this.threatened[ply] = this.quiet?.isThreatened(state) === true ? 1 : 0;
    const judged = beta - alpha === 1 ? this.prune(depth, ply, beta) : NO_VALUE;
    if (judged !== NO_VALUE) return judged;
    this.alphas[ply] = alpha;
    this.betas[ply] = beta;
    const hint = entry === NOT_FOUND ? NO_ACTION : table.actionOf(entry);
    return this.expand(depth, ply, ply === 0 ? this.rootAction : hint);
  }

  /** Tries the moves of the node at `ply`, whose window is noted, `first` first; returns and keeps its value. */
  private expand(depth: number, ply: number, first: Action): number {
    const { state } = this;
    const alpha = this.alphas[ply]!;
    const beta = this.betas[ply]!;
    this.bestValues[ply] = -INFINITE;
    this.bestActions[ply] = NO_ACTION;
    this.tried[ply] = 0;
    this.tryHints(first, depth, ply);
    if (this.bestValues[ply] < beta) this.tryRest(first, depth, ply);
    const best = this.bestValues[ply];
    const action = this.bestActions[ply];
    if (best >= beta) this.ordering.reward(state, ply, action, depth);
    const bound = best >= beta ? LOWER : best > alpha ? EXACT : UPPER;
    this.table.store(this.game.hash(state), { depth, bound, value: toTable(best, ply), action });
    return best;
  }

  /** An action that is known to win at once, or `NO_ACTION`. */
  private winningAction(): Action {
    return this.tactics === undefined ? NO_ACTION : this.tactics.winningAction(this.state);
  }

  /** What the table's entry says of the position at `ply`, if that answers the question, else `NO_VALUE`. */
  // eslint-disable-next-line max-params -- a node is asked for by depth, ply and window; an object a node costs more
  private knownValue(entry: number, depth: number, ply: number, alpha: number, beta: number): number {
    if (this.table.depthOf(entry) < depth) return NO_VALUE;
    const value = fromTable(this.table.valueOf(entry), ply);
    // A ko rule may have barred other moves on the line that proved it.
    if (this.options.dependsOnHistory && isProven(value)) return NO_VALUE;
    return settles(this.table.boundOf(entry), value, alpha, beta) ? value : NO_VALUE;
  }

  /**
   * Judges a node whose window is `beta - 1` to `beta` without searching it, or `NO_VALUE`; only where there
   * is no threat, so never against a proof.
   */
  private prune(depth: number, ply: number, beta: number): number {
    const { options, state, quiet } = this;
    if (quiet === undefined || this.threatened[ply] === 1) return NO_VALUE;
    if (isProven(beta) || isProven(beta - 1)) return NO_VALUE;
    const value = this.evaluation.evaluate(state);
    if (!options.nullMove || depth < NULL_MOVE_DEPTH || value < beta || this.passed[ply] === 1)
      return NO_VALUE;
    return this.tryPass(quiet, depth, ply, beta);
  }

  /**
   * What the position is worth at least by the search after a pass, or `NO_VALUE` if that is below `beta` (Beal
   * 1989). Where having to move may hurt, a search with moves, as shallow, must agree (Heinz 1999).
   */
  private tryPass(quiet: QuietTactics<State>, depth: number, ply: number, beta: number): number {
    const { state } = this;
    quiet.pass(state);
    this.budget.spend();
    this.passed[ply + 1] = 1;
    this.line[ply + 1] = NO_POSITION;
    const left = Math.max(0, depth - 1 - NULL_MOVE_REDUCTION);
    const afterPass = -this.valueAt(left, ply + 1, -beta, 1 - beta);
    this.passed[ply + 1] = 0;
    quiet.unpass(state);
    if (afterPass < beta) return NO_VALUE;
    // A win after passing is no win.
    const value = Math.min(afterPass, PROVEN);
    if (!quiet.maySuffer(state)) return value;
    if (left === 0) return NO_VALUE;
    this.passed[ply] = 1;
    const verified = this.visit(left, ply, beta - 1, beta);
    this.passed[ply] = 0;
    this.threatened[ply] = 0;
    return verified < beta ? NO_VALUE : verified;
  }

  /** Tries the table's action and the killers: where one refutes, listing all others was saved. */
  private tryHints(first: Action, depth: number, ply: number): void {
    const { game, state, ordering, bestValues, betas } = this;
    if (first !== NO_ACTION && game.isLegal(state, first)) this.tryAction(first, 0, depth, ply);
    for (let slot = 0; slot < KILLERS && bestValues[ply]! < betas[ply]!; slot++) {
      const killer = ordering.killer(ply, slot);
      if (killer === NO_ACTION || killer === first) continue;
      if (game.isLegal(state, killer)) this.tryAction(killer, 0, depth, ply);
    }
  }

  /** Tries all actions that `tryHints` has not, the promising first. */
  private tryRest(first: Action, depth: number, ply: number): void {
    const { ordering, state, bestValues, betas } = this;
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
    let i = 0;
    for (; i < count && bestValues[ply]! < betas[ply]!; i++) {
      if (!isSorted) isSorted = bringBestForward(actions, orders, i, count) <= 0;
      const isQuiet = orders[i]! < NOISY;
      this.tryAction(actions[i]!, isQuiet ? this.reductionAt(depth, ply) : 0, depth, ply);
    }
    if (bestValues[ply]! >= betas[ply]!) ordering.blame(state, actions, i - 1, depth);
  }

  /** Plies that the next quiet move of the node at `ply` is first searched less deep by. */
  private reductionAt(depth: number, ply: number): number {
    if (!this.options.lateMoveReductions || this.tactics === undefined) return 0;
    const index = this.tried[ply]!;
    if (depth < 3 || index < FIRST_LATE_MOVE || this.threatened[ply] === 1) return 0;
    return this.quiet !== undefined && depth > 3 && index >= VERY_LATE_MOVE ? 2 : 1;
  }

  /**
   * Plays an action, judges it and takes it back; notes it if it is the best of the node at `ply`. One to be
   * reduced is searched that many plies less first.
   */
  private tryAction(action: Action, reduction: number, depth: number, ply: number): void {
    const { game, state, bestValues } = this;
    game.apply(state, action);
    const alpha = Math.max(this.alphas[ply]!, bestValues[ply]!);
    const value = this.valueOfMove(depth - 1, reduction, ply + 1, alpha);
    game.undo(state);
    this.tried[ply] = this.tried[ply]! + 1;
    if (value <= bestValues[ply]!) return;
    bestValues[ply] = value;
    this.bestActions[ply] = action;
    if (ply === 0 && (value > this.alphas[0]! || this.rootAction === NO_ACTION)) this.rootAction = action;
  }

  /** The value of a position just reached, if its game is over, to the player who moved there, else `NO_VALUE`. */
  private valueOfEnd(ply: number): number {
    this.budget.spend();
    const outcome = this.game.outcome(this.state);
    if (outcome === null) return NO_VALUE;
    const toMover = this.game.currentPlayer(this.state) === 1 ? outcome : -outcome;
    // Adding 0 makes 0 of -0.
    return toMover * (WIN - ply) + 0;
  }

  /**
   * The value of the position to the player who has just moved there, `depth` >= 0 plies deep. Once a move
   * has raised `alpha`, the others are first only asked whether they are better. What repeats a position leads
   * nowhere, so it is worth nothing, unless more than that is proven.
   */
  private valueOfMove(depth: number, reduction: number, ply: number, alpha: number): number {
    const end = this.valueOfEnd(ply);
    if (end !== NO_VALUE) return end;
    if (!this.repeats) return this.valueOfGoingOn(depth, reduction, ply, alpha);
    const key = this.game.hash(this.state);
    this.line[ply] = key;
    for (let earlier = ply - 4; earlier >= 0; earlier -= 2) if (this.line[earlier] === key) return 0;
    const value = this.valueOfGoingOn(depth, reduction, ply, alpha);
    return this.past.has(key) && !isProven(value) ? 0 : value;
  }

  /** `valueOfMove` of a position whose game goes on. */
  private valueOfGoingOn(depth: number, reduction: number, ply: number, alpha: number): number {
    const beta = this.betas[ply - 1]!;
    if (alpha !== -INFINITE && (reduction > 0 || (depth > 0 && beta - alpha > 1))) {
      if (reduction > 0) {
        const value = -this.valueAt(Math.max(0, depth - reduction), ply, -alpha - 1, -alpha);
        if (value <= alpha) return value;
      }
      if (depth > 0 && beta - alpha > 1) {
        const value = -this.valueAt(depth, ply, -alpha - 1, -alpha);
        if (value <= alpha || value >= beta) return value;
      }
    }
    return -this.valueAt(depth, ply, -beta, -alpha);
  }

  /**
   * The value past the last ply: a win in one, else the evaluation or what captures make of it, `left` of
   * them in a row; where the opponent threatens to win, all moves are tried once more.
   */
  private quiesce(left: number, ply: number, alpha: number, beta: number): number {
    const { state, quiet } = this;
    const tactics = this.tactics!;
    if (tactics.winningAction(state) !== NO_ACTION) return WIN - ply - 1;
    const stand = this.evaluation.evaluate(state);
    if (stand > alpha && left === CAPTURE_PLIES && this.extensions < MAX_EXTENSIONS) {
      if (this.passed[ply] === 0 && quiet?.isThreatened(state) === true) {
        this.extensions += 1;
        const value = this.visit(1, ply, alpha, beta);
        this.extensions -= 1;
        return value;
      }
    }
    if (stand >= beta || left === 0) return stand;
    this.alphas[ply] = alpha;
    this.betas[ply] = beta;
    this.bestValues[ply] = stand;
    this.tryCaptures(tactics, left, ply);
    return this.bestValues[ply];
  }

  /** Tries the captures of the node at `ply` that may raise its value above the window's lower bound. */
  private tryCaptures(tactics: Tactics<State>, left: number, ply: number): void {
    const { game, state, bestValues } = this;
    const beta = this.betas[ply]!;
    const stand = bestValues[ply]!;
    const margin = this.quiet?.margin ?? Infinity;
    const actions = this.actionsAt(ply);
    const count = tactics.captures(state, actions);
    for (let i = 0; i < count && bestValues[ply]! < beta; i++) {
      const action = actions[i]!;
      const alpha = Math.max(this.alphas[ply]!, bestValues[ply]!);
      // The others gain no more.
      if (stand + tactics.gainOf(state, action) + margin <= alpha) return;
      game.apply(state, action);
      const end = this.valueOfEnd(ply + 1);
      const value = end === NO_VALUE ? -this.quiesce(left - 1, ply + 1, -beta, -alpha) : end;
      game.undo(state);
      bestValues[ply] = Math.max(bestValues[ply]!, value);
    }
  }
}
