import { type Action, type Game, NO_ACTION } from '../../env/game.js';
import type { Evaluation, QuietTactics, Tactics } from '../../env/definition/evaluation.js';
import type { Selectivity } from '../../env/definition/selectivity.js';
import type { AlphaBetaLimits, AlphaBetaOptions } from './alpha-beta-options.js';
import { bringBestForward, KILLERS, MoveOrdering, NOISY } from './move-ordering.js';
import type { NodeVisitor } from './node-visitor.js';
import { NullMove } from './null-move.js';
import { Quiescence, QUIESCENCE_PLIES } from './quiescence.js';
import { Repetitions } from './repetitions.js';
import { MOVES, NOTHING, PLIES, SearchLine } from './search-line.js';
import { fromTable, INFINITE, isProven, MAX_DEPTH, NO_VALUE, toTable, WIN } from './search-values.js';
import { type Bound, EXACT, LOWER, NOT_FOUND, TranspositionTable, UPPER } from './transposition-table.js';

/** Greatest number of plies of a line. */
const MAX_PLIES = MAX_DEPTH + QUIESCENCE_PLIES + 1;
/** From this move of a node on, quiet moves are late. */
const FIRST_LATE_MOVE = 4;

/** Whether a stored value suffices for a search between `alpha` and `beta`. */
function settles(bound: Bound, value: number, alpha: number, beta: number): boolean {
  return bound === EXACT || (bound === LOWER ? value >= beta : value <= alpha);
}

/**
 * One iteration of alpha-beta search: visits nodes depth first and tries their moves. Values are to the player to move
 * (negamax): players alternate.
 *
 * A proven value rests on moves played out only: no margin and no pass is part of the proof.
 */
export class NodeSearch<State> implements NodeVisitor {
  readonly line: SearchLine<State>;
  readonly table: TranspositionTable;
  /** The best action of this iteration so far. */
  rootAction: Action = NO_ACTION;
  /** Actions of the root that are not tried: the best ones, when a search looks for further lines. */
  readonly excluded = new Set<Action>();
  private readonly game: Game<State>;
  private readonly evaluation: Evaluation<State>;
  private readonly options: Required<AlphaBetaOptions>;
  private readonly countsRepetitions: boolean;
  private readonly tactics: Tactics<State> | undefined;
  private readonly quiet: QuietTactics<State> | undefined;
  private readonly ordering: MoveOrdering<State>;
  private readonly repetitions: Repetitions<State>;
  private readonly selectivity: Selectivity | null | undefined;
  private readonly quiescence: Quiescence<State> | undefined;
  private readonly nullMove: NullMove<State> | undefined;

  constructor(game: Game<State>, evaluation: Evaluation<State>, options: Required<AlphaBetaOptions>) {
    this.game = game;
    this.evaluation = evaluation;
    this.options = options;
    // A ko rule forbids repetitions itself.
    this.countsRepetitions = options.repetition && !options.dependsOnHistory;
    this.tactics = options.quiescence ? evaluation.tactics : undefined;
    this.quiet = this.tactics?.quiet;
    this.selectivity = this.tactics && options.selectivity;
    this.line = new SearchLine(game, MAX_PLIES);
    this.table = new TranspositionTable(options.tableSize);
    this.ordering = new MoveOrdering(game, evaluation, MAX_PLIES);
    this.repetitions = new Repetitions(game, MAX_PLIES);
    const { line, repetitions } = this;
    this.quiescence = this.tactics && new Quiescence(line, evaluation, this.tactics, this);
    const parts = { line, repetitions, visitor: this };
    this.nullMove = this.quiet && options.nullMove ? new NullMove(this.quiet, parts) : undefined;
  }

  /** Starts a search of `state`, which is copied. */
  begin(state: State, limits: AlphaBetaLimits): void {
    if (this.options.remembers && limits.timeMs !== undefined) {
      this.table.age();
      this.ordering.age();
    } else this.forget();
    this.line.begin(state, limits);
    this.quiescence?.begin();
    this.rootAction = NO_ACTION;
    this.excluded.clear();
    if (this.countsRepetitions) this.repetitions.begin(state);
  }

  /** Forgets all earlier searches. */
  forget(): void {
    this.table.clear();
    this.ordering.clear();
  }

  valueAt(depth: number, ply: number, alpha: number, beta: number): number {
    if (depth > 0) return this.visit(depth, ply, alpha, beta);
    if (this.quiescence === undefined) return this.evaluation.evaluate(this.line.state);
    return this.quiescence.value(ply, alpha, beta);
  }

  visit(depth: number, ply: number, alpha: number, beta: number): number {
    const { line, table } = this;
    const { state } = line;
    if (this.options.mateDistance && ply > 0) {
      alpha = Math.max(alpha, ply - WIN);
      beta = Math.min(beta, WIN - ply - 1);
      if (alpha >= beta) return alpha;
    }
    const entry = ply === 0 ? NOT_FOUND : table.find(this.game.hash(state));
    const known = entry === NOT_FOUND ? NO_VALUE : this.knownValue(entry, depth, ply, alpha, beta);
    if (known !== NO_VALUE) return known;
    const win = this.winningAction(ply);
    if (win !== NO_ACTION) {
      if (ply === 0) this.rootAction = win;
      return WIN - ply - 1;
    }
    line.leeway[ply] = this.leewayOf(alpha, beta);
    const bound = line.leeway[ply] === MOVES ? this.prune(depth, ply, beta) : NO_VALUE;
    if (bound !== NO_VALUE) return bound;
    line.alphas[ply] = alpha;
    line.betas[ply] = beta;
    const hint = entry === NOT_FOUND ? NO_ACTION : table.actionOf(entry);
    return this.expand(depth, ply, ply === 0 ? this.rootAction : hint);
  }

  /** The leeway of the current node. */
  private leewayOf(alpha: number, beta: number): number {
    if (this.quiet?.isThreatened(this.line.state)) return NOTHING;
    return beta - alpha > 1 || isProven(alpha) || isProven(beta) ? PLIES : MOVES;
  }

  /** Tries the moves of the node at `ply`, whose window is set, starting with `first`; returns and stores its value. */
  private expand(depth: number, ply: number, first: Action): number {
    const { line } = this;
    const alpha = line.alphas[ply]!;
    const beta = line.betas[ply]!;
    line.bestValues[ply] = -INFINITE;
    line.bestActions[ply] = NO_ACTION;
    line.tried[ply] = 0;
    this.tryHints(first, depth, ply);
    if (line.bestValues[ply] < beta) this.tryRest(first, depth, ply);
    const best = line.bestValues[ply];
    const action = line.bestActions[ply];
    if (best >= beta) this.ordering.reward(line.state, ply, action, depth);
    const bound = best >= beta ? LOWER : best > alpha ? EXACT : UPPER;
    // Without the excluded actions, it is not the value of the position.
    if (ply === 0 && this.excluded.size > 0) return best;
    this.table.store(this.game.hash(line.state), { depth, bound, value: toTable(best, ply), action });
    return best;
  }

  /**
   * The value of the table's entry for the position at `ply` if it suffices for this depth and window, else `NO_VALUE`.
   */
  // eslint-disable-next-line max-params -- a node is described by depth, ply and window; an object per node costs more
  private knownValue(entry: number, depth: number, ply: number, alpha: number, beta: number): number {
    if (this.table.depthOf(entry) < depth) return NO_VALUE;
    const value = fromTable(this.table.valueOf(entry), ply);
    // A ko rule may have forbidden other moves on the line that proved it.
    if (this.options.dependsOnHistory && isProven(value)) return NO_VALUE;
    return settles(this.table.boundOf(entry), value, alpha, beta) ? value : NO_VALUE;
  }

  /** An action that is known to win at once, or `NO_ACTION`. */
  private winningAction(ply: number): Action {
    const action = this.tactics === undefined ? NO_ACTION : this.tactics.winningAction(this.line.state);
    return ply === 0 && this.excluded.has(action) ? NO_ACTION : action;
  }

  /** A bound of at least `beta` for the node at `ply` without a search of its moves, or `NO_VALUE`. */
  private prune(depth: number, ply: number, beta: number): number {
    const margin = this.selectivity?.margin?.(depth);
    const nullMove = this.nullMove?.mayPass(depth, ply) ? this.nullMove : undefined;
    if (margin === undefined && nullMove === undefined) return NO_VALUE;
    const value = this.evaluation.evaluate(this.line.state);
    if (value < beta) return NO_VALUE;
    if (margin !== undefined && value >= beta + margin) return beta;
    return nullMove === undefined ? NO_VALUE : nullMove.prune(depth, ply, beta);
  }

  /** Tries the table's action and the killers: if one causes a cut-off, the other moves need not be listed. */
  private tryHints(first: Action, depth: number, ply: number): void {
    const { game, ordering, line } = this;
    const { state, bestValues, betas } = line;
    if (first !== NO_ACTION && game.isLegal(state, first)) this.tryAction(first, 0, depth, ply);
    for (let slot = 0; slot < KILLERS && bestValues[ply]! < betas[ply]!; slot++) {
      const killer = ordering.killer(ply, slot);
      if (killer === NO_ACTION || killer === first) continue;
      if (ply === 0 && this.excluded.has(killer)) continue;
      if (game.isLegal(state, killer)) this.tryAction(killer, 0, depth, ply);
    }
  }

  /** Tries all actions that `tryHints` has not, the promising first. */
  private tryRest(first: Action, depth: number, ply: number): void {
    const { ordering, line } = this;
    const { state, bestValues, betas } = line;
    const actions = line.actionsAt(ply);
    const orders = line.ordersAt(ply);
    const count = this.listRest(first, ply, actions);
    ordering.assign(state, actions, count, orders);
    const limit = (line.leeway[ply] === MOVES ? this.selectivity?.limit?.(depth) : undefined) ?? Infinity;
    let isSorted = false;
    let i = 0;
    for (; i < count && bestValues[ply]! < betas[ply]!; i++) {
      if (!isSorted) isSorted = bringBestForward(actions, orders, i, count) <= 0;
      const isQuiet = orders[i]! < NOISY;
      // Losses of the moves that were tried prove nothing of the others.
      if (isQuiet && line.tried[ply]! >= limit && !isProven(bestValues[ply]!)) break;
      this.tryAction(actions[i]!, isQuiet ? this.reductionAt(depth, ply) : 0, depth, ply);
    }
    if (bestValues[ply]! >= betas[ply]!) ordering.blame(state, actions, i - 1, depth);
  }

  /** Writes the actions at `ply` that `tryHints` has not tried, and that are not excluded; returns their number. */
  private listRest(first: Action, ply: number, actions: Int32Array): number {
    const { ordering, excluded } = this;
    const listed = this.game.legalActions(this.line.state, actions);
    // The killers of this ply are still those of `tryHints`: only other nodes of this ply change them.
    let count = 0;
    for (let i = 0; i < listed; i++) {
      const action = actions[i]!;
      const isDone =
        action === first || ordering.isKiller(ply, action) || (ply === 0 && excluded.has(action));
      if (!isDone) actions[count++] = action;
    }
    return count;
  }

  /** Plies by which the first search of the next quiet move of the node at `ply` is less deep. */
  private reductionAt(depth: number, ply: number): number {
    const { leeway, tried } = this.line;
    if (leeway[ply] === NOTHING || tried[ply]! < FIRST_LATE_MOVE) return 0;
    return this.selectivity?.reduction(depth, tried[ply]!) ?? 0;
  }

  /**
   * Plays an action, evaluates it and undoes it; records it if it is the best of the node at `ply`. With a reduction,
   * the first search is `reduction` plies shallower.
   */
  private tryAction(action: Action, reduction: number, depth: number, ply: number): void {
    const { game, line } = this;
    const { state, bestValues } = line;
    game.apply(state, action);
    const alpha = Math.max(line.alphas[ply]!, bestValues[ply]!);
    const value = this.valueOfMove(depth - 1, reduction, ply + 1, alpha);
    game.undo(state);
    line.tried[ply] = line.tried[ply]! + 1;
    if (value <= bestValues[ply]!) return;
    bestValues[ply] = value;
    line.bestActions[ply] = action;
    if (ply === 0 && (value > line.alphas[0]! || this.rootAction === NO_ACTION)) this.rootAction = action;
  }

  /**
   * The value of the current position to the player who has just moved, at `depth` >= 0 plies. A repeated position is
   * worth 0, unless a win is proven.
   */
  private valueOfMove(depth: number, reduction: number, ply: number, alpha: number): number {
    const end = this.line.valueOfEnd(ply);
    if (end !== NO_VALUE) return end;
    if (!this.countsRepetitions) return this.valueOfUnfinished(depth, reduction, ply, alpha);
    const hash = this.game.hash(this.line.state);
    if (this.repetitions.enter(ply, hash)) return 0;
    const value = this.valueOfUnfinished(depth, reduction, ply, alpha);
    return this.repetitions.isPast(hash) && !isProven(value) ? 0 : value;
  }

  /**
   * `valueOfMove` of a position that is not over. Once a move has raised `alpha`, the others are first
   * searched with a null window, which only decides whether they are better.
   */
  private valueOfUnfinished(depth: number, reduction: number, ply: number, alpha: number): number {
    const beta = this.line.betas[ply - 1]!;
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
}
