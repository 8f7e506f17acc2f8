import type { QuietTactics } from '../../env/definition/evaluation.js';
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
  readonly repetitions: Repetitions<State>;
  readonly visitor: NodeVisitor;
}

/** Null-move pruning: a player who is well off even after passing need not be searched (Beal 1989). */
export class NullMove<State> {
  private readonly line: SearchLine<State>;
  private readonly repetitions: Repetitions<State>;
  private readonly visitor: NodeVisitor;
  private readonly quiet: QuietTactics<State>;

  constructor(quiet: QuietTactics<State>, parts: NullMoveParts<State>) {
    this.quiet = quiet;
    this.line = parts.line;
    this.repetitions = parts.repetitions;
    this.visitor = parts.visitor;
  }

  /** Whether passing is tried at the node at `ply`. */
  mayPass(depth: number, ply: number): boolean {
    return depth >= NULL_MOVE_DEPTH && this.line.passed[ply] === 0;
  }

  /**
   * Judges the node at `ply` by passing: its evaluation is `beta` or more, its leeway `MOVES`, and its window
   * `beta - 1` to `beta`. So no proof rests on a pass. In possible zugzwang a search of the moves at the same depth
   * must agree (Heinz 1999).
   *
   * @returns a lower bound of at least `beta`, or `NO_VALUE`.
   */
  prune(depth: number, ply: number, beta: number): number {
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
