import { NO_ACTION } from '../../env/game.js';
import type { Evaluation, Tactics } from '../../env/definition/evaluation.js';
import type { NodeVisitor } from './node-visitor.js';
import type { SearchLine } from './search-line.js';
import { NO_VALUE, WIN } from './search-values.js';

/** Greatest number of consecutive captures beyond the last ply. */
const CAPTURE_PLIES = 4;
/** Greatest number of threats on one line that are answered beyond the last ply. */
const MAX_EXTENSIONS = 2;
/** Greatest number of plies by which quiescence extends a line. */
export const QUIESCENCE_PLIES = CAPTURE_PLIES + 2 * MAX_EXTENSIONS;

/** The search beyond the last ply, for games with tactics: wins in one, captures that gain, answers to threats. */
export class Quiescence<State> {
  private readonly line: SearchLine<State>;
  private readonly evaluation: Evaluation<State>;
  private readonly tactics: Tactics<State>;
  private readonly visitor: NodeVisitor;
  /** Number of threats being answered on the line under search. */
  private extensions = 0;

  constructor(
    line: SearchLine<State>,
    evaluation: Evaluation<State>,
    tactics: Tactics<State>,
    visitor: NodeVisitor,
  ) {
    this.line = line;
    this.evaluation = evaluation;
    this.tactics = tactics;
    this.visitor = visitor;
  }

  /** Starts a search; the previous one may have been abandoned midway. */
  begin(): void {
    this.extensions = 0;
  }

  /** The value of the position at `ply`, beyond the last ply, to the player to move. */
  value(ply: number, alpha: number, beta: number): number {
    return this.quiesce(CAPTURE_PLIES, ply, alpha, beta);
  }

  /**
   * A win in one, else the greater of the evaluation and the values of captures, up to `left` in a row; if the opponent
   * threatens to win, all moves are searched once more.
   */
  private quiesce(left: number, ply: number, alpha: number, beta: number): number {
    const { line, tactics } = this;
    const { state } = line;
    if (tactics.winningAction(state) !== NO_ACTION) return WIN - ply - 1;
    const stand = this.evaluation.evaluate(state);
    if (stand > alpha && left === CAPTURE_PLIES && this.extensions < MAX_EXTENSIONS) {
      if (line.passed[ply] === 0 && tactics.quiet?.isThreatened(state) === true) {
        this.extensions += 1;
        const value = this.visitor.visit(1, ply, alpha, beta);
        this.extensions -= 1;
        return value;
      }
    }
    if (stand >= beta || left === 0) return stand;
    line.alphas[ply] = alpha;
    line.betas[ply] = beta;
    line.bestValues[ply] = stand;
    this.tryCaptures(left, ply);
    return line.bestValues[ply];
  }

  /** Tries the captures of the node at `ply` that may raise its value above the window's lower bound. */
  private tryCaptures(left: number, ply: number): void {
    const { line, tactics } = this;
    const { game, state, bestValues } = line;
    const beta = line.betas[ply]!;
    const stand = bestValues[ply]!;
    const margin = tactics.quiet?.margin ?? Infinity;
    const actions = line.actionsAt(ply);
    const count = tactics.captures(state, actions);
    for (let i = 0; i < count && bestValues[ply]! < beta; i++) {
      const action = actions[i]!;
      const alpha = Math.max(line.alphas[ply]!, bestValues[ply]!);
      // The remaining captures gain no more.
      if (stand + tactics.gainOf(state, action) + margin <= alpha) return;
      game.apply(state, action);
      const end = line.valueOfEnd(ply + 1);
      const value = end === NO_VALUE ? -this.quiesce(left - 1, ply + 1, -beta, -alpha) : end;
      game.undo(state);
      bestValues[ply] = Math.max(bestValues[ply]!, value);
    }
  }
}
