import { type Action, type Game, NO_ACTION } from '../../env/game.js';
import type { Evaluation } from '../../env/definition/evaluation.js';
import type { AlphaBetaLimits, AlphaBetaOptions, AlphaBetaResult } from './alpha-beta-options.js';
import { OUT_OF_LIMIT } from './node-budget.js';
import { NodeSearch } from './node-search.js';
import { cautiousSelectivity } from './cautious-selectivity.js';
import { INFINITE, isProven, MAX_DEPTH, pliesToEnd } from './search-values.js';
import { NOT_FOUND } from './transposition-table.js';

/** From this depth on, an iteration starts with a narrow window. */
const ASPIRATION_DEPTH = 3;

function withDefaults<State>(
  options: AlphaBetaOptions,
  evaluation: Evaluation<State>,
): Required<AlphaBetaOptions> {
  return {
    tableSize: 1 << 16,
    remembers: false,
    quiescence: true,
    aspiration: true,
    // Two plies only where threats are known.
    selectivity: evaluation.selectivity ?? cautiousSelectivity(evaluation.tactics?.quiet ? 2 : 1),
    nullMove: true,
    mateDistance: true,
    repetition: true,
    dependsOnHistory: evaluation.dependsOnHistory ?? false,
    ...options,
  };
}

/** The result before the first iteration: some legal move, and the value of the position without a search. */
function untried(action: Action, value: number): AlphaBetaResult {
  return { action, value, depth: 0, nodes: 0, principalVariation: [action] };
}

/**
 * Depth-first search with alpha-beta bounds (Knuth and Moore 1975): iterative deepening, principal-variation
 * search (Marsland 1983), a transposition table, and the techniques of `AlphaBetaOptions`. Values are to the player
 * to move.
 */
export class AlphaBetaSearch<State> {
  private readonly game: Game<State>;
  private readonly evaluation: Evaluation<State>;
  private readonly options: Required<AlphaBetaOptions>;
  private readonly nodes: NodeSearch<State>;

  constructor(game: Game<State>, evaluation: Evaluation<State>, options: AlphaBetaOptions = {}) {
    this.game = game;
    this.evaluation = evaluation;
    this.options = withDefaults(options, evaluation);
    this.nodes = new NodeSearch(game, evaluation, this.options);
  }

  /**
   * Finds the best action of `state`, which is not over and is left unchanged. Unless time is limited, equal positions
   * and limits give equal results.
   */
  search(state: State, limits: AlphaBetaLimits): AlphaBetaResult {
    return this.searchLines(state, limits)[0]!;
  }

  /** Forgets all earlier searches. */
  forget(): void {
    this.nodes.forget();
  }

  /**
   * Finds the best actions of `state`, the best first, each with its value; otherwise like `search`.
   *
   * @param lines greatest number of actions, 1 by default.
   * @param onIteration receives the results of each finished iteration.
   */
  searchLines(
    state: State,
    limits: AlphaBetaLimits,
    lines = 1,
    onIteration?: (results: readonly AlphaBetaResult[]) => void,
  ): readonly AlphaBetaResult[] {
    const { nodes } = this;
    nodes.begin(state, limits);
    const { budget } = nodes.line;
    const maxDepth = Math.min(limits.depth ?? MAX_DEPTH, MAX_DEPTH);
    const actions = nodes.line.actionsAt(0);
    const count = Math.min(lines, this.game.legalActions(state, actions));
    let results: readonly AlphaBetaResult[] = [untried(actions[0]!, this.evaluation.evaluate(state))];
    for (let depth = 1; depth <= maxDepth; depth++) {
      const found: AlphaBetaResult[] = [];
      try {
        this.iterateLines(state, depth, { count, last: results, found });
      } catch (error) {
        if (error !== OUT_OF_LIMIT) throw error;
        results = this.unfinished(results, found);
        break;
      }
      results = found.map((result) => ({ ...result, nodes: budget.nodes }));
      onIteration?.(results);
      if (results.every(({ value }) => isProven(value))) break;
    }
    return results.map((result) => ({ ...result, nodes: budget.nodes }));
  }

  /** One iteration: adds `count` results to `found`, each without the actions of those before. */
  private iterateLines(
    root: State,
    depth: number,
    { count, last, found }: { count: number; last: readonly AlphaBetaResult[]; found: AlphaBetaResult[] },
  ): void {
    const { nodes } = this;
    nodes.excluded.clear();
    for (let line = 0; line < count; line++) {
      // An iteration tries first what the last one found best.
      const expected = last.find(({ action }) => !nodes.excluded.has(action));
      nodes.rootAction = depth === 1 || expected === undefined ? NO_ACTION : expected.action;
      const value = this.iterate(depth, (expected ?? found.at(-1)!).value);
      found.push(this.resultOf(root, depth, value));
      nodes.excluded.add(nodes.rootAction);
    }
    found.sort((one, other) => other.value - one.value);
  }

  /** The results of an iteration that the limit cut short: its own first, then those of the iteration before. */
  private unfinished(
    last: readonly AlphaBetaResult[],
    found: readonly AlphaBetaResult[],
  ): readonly AlphaBetaResult[] {
    const { rootAction, excluded } = this.nodes;
    const first = last[0]!;
    // The last iteration's best was tried first: an action preferred since is better.
    const isBetter = found.length === 0 && rootAction !== NO_ACTION && rootAction !== first.action;
    const better = isBetter ? [{ ...first, action: rootAction, principalVariation: [rootAction] }] : found;
    const rest = last.filter(({ action }) => !excluded.has(action) && (!isBetter || action !== rootAction));
    return [...better, ...(isBetter && last.length === 1 ? [] : rest)].slice(0, Math.max(1, last.length));
  }

  /** The value at the root, `depth` plies deep; first within a narrow window around the value of the last iteration. */
  private iterate(depth: number, previous: number): number {
    const { nodes } = this;
    const { scale } = this.evaluation;
    if (!this.options.aspiration || depth < ASPIRATION_DEPTH) {
      return nodes.visit(depth, 0, -INFINITE, INFINITE);
    }
    let margin = Math.max(1, Math.round(scale / 8));
    let alpha = previous - margin;
    let beta = previous + margin;
    for (;;) {
      const value = nodes.visit(depth, 0, alpha, beta);
      if (value > alpha && value < beta) return value;
      margin *= 4;
      const isWide = margin > 8 * scale;
      if (value <= alpha) alpha = isWide ? -INFINITE : value - margin;
      else beta = isWide ? INFINITE : value + margin;
    }
  }

  /** The result of a finished iteration. */
  private resultOf(root: State, depth: number, value: number): AlphaBetaResult {
    const { rootAction, line } = this.nodes;
    const length = isProven(value) ? pliesToEnd(value) : depth;
    const principalVariation = this.lineFrom(root, rootAction, length);
    return { action: rootAction, value, depth, nodes: line.budget.nodes, principalVariation };
  }

  /** The expected line of at most `length` actions from `first` on, as far as the table has it. */
  private lineFrom(root: State, first: Action, length: number): readonly Action[] {
    const { game, options, evaluation } = this;
    const { table } = this.nodes;
    const tactics = options.quiescence ? evaluation.tactics : undefined;
    const state = game.clone(root);
    const line = [first];
    game.apply(state, first);
    while (line.length < length && game.outcome(state) === null) {
      let action = tactics?.winningAction(state) ?? NO_ACTION;
      const entry = table.find(game.hash(state));
      if (action === NO_ACTION && entry !== NOT_FOUND) action = table.actionOf(entry);
      if (!game.isLegal(state, action)) break;
      line.push(action);
      game.apply(state, action);
    }
    return line;
  }
}
