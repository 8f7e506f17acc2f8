import type { Evaluation, QuietTactics } from '../../env/definition/evaluation.js';
import type { NodeVisitor } from './node-visitor.js';
import type { Repetitions } from './repetitions.js';
import type { SearchLine } from './search-line.js';
import { NO_VALUE, PROVEN } from './search-values.js';

/** Least depth at which passing is tried. */
const NULL_MOVE_DEPTH = 2;
/** Reduction of the search after a pass, in plies, besides the pass itself. */
const NULL_MOVE_REDUCTION = 2;

/** The parts of a search that null-move pruning uses. */
export interface NullMoveParts<State> {
  readonly line: SearchLine<State>;
  readonly evaluation: Evaluation<State>;
  readonly repetitions: Repetitions<State>;
  readonly visitor: NodeVisitor;
}

/** Null-move pruning: a player who is well off even after passing need not be searched (Beal 1989). */
export class NullMove<State> {
  private readonly line: SearchLine<State>;
  private readonly evaluation: Evaluation<State>;
  private readonly repetitions: Repetitions<State>;
  private readonly visitor: NodeVisitor;
  private readonly quiet: QuietTactics<State>;

  constructor(quiet: QuietTactics<State>, parts: NullMoveParts<State>) {
    this.quiet = quiet;
    this.line = parts.line;
    this.evaluation = parts.evaluation;
    this.repetitions = parts.repetitions;
    this.visitor = parts.visitor;
  }

  /**
   * Judges the node at `ply`, whose leeway is `MOVES` and whose window is `beta - 1` to `beta`, by passing. So no proof
   * rests on a pass.
   *
   * @returns a lower bound of at least `beta`, or `NO_VALUE`.
   */
  prune(depth: number, ply: number, beta: number): number {
    const { line } = this;
    if (depth < NULL_MOVE_DEPTH || line.passed[ply] === 1) return NO_VALUE;
    return this.evaluation.evaluate(line.state) < beta ? NO_VALUE : this.tryPass(depth, ply, beta);
  }

  /** `prune` after its checks. In possible zugzwang a search of the moves at the same depth must agree (Heinz 1999). */
  private tryPass(depth: number, ply: number, beta: number): number {
    const { line, quiet, visitor } = this;
    const { state } = line;
    quiet.pass(state);
    line.budget.spend();
    line.passed[ply + 1] = 1;
    this.repetitions.enterByPass(ply + 1);
    const left = Math.max(0, depth - 1 - NULL_MOVE_REDUCTION);
    const afterPass = -visitor.valueAt(left, ply + 1, -beta, 1 - beta);
    line.passed[ply + 1] = 0;
    quiet.unpass(state);
    if (afterPass < beta) return NO_VALUE;
    // A win that needs a pass is not proven.
    const value = Math.min(afterPass, PROVEN);
    if (!quiet.maySuffer(state)) return value;
    if (left === 0) return NO_VALUE;
    line.passed[ply] = 1;
    const verified = visitor.visit(left, ply, beta - 1, beta);
    line.passed[ply] = 0;
    return verified < beta ? NO_VALUE : verified;
  }
}
