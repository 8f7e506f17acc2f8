import type { AlphaBetaLimits } from './alpha-beta-options.js';

/** Nodes between two readings of the clock. */
const CLOCK_NODES = 256;

/** Thrown inside a search to leave it when its limit is reached; never leaves this folder. */
export const OUT_OF_LIMIT = new Error('the limit of the search is reached');

/** Counts the nodes of a search and ends it at its limits. Reads the clock only under a limit of time. */
export class NodeBudget {
  /** Nodes since `begin`. */
  nodes = 0;
  private nodeLimit = Infinity;
  private deadlineMs = Infinity;

  /** Counts from 0, from now. */
  begin(limits: AlphaBetaLimits): void {
    this.nodes = 0;
    this.nodeLimit = limits.nodes ?? Infinity;
    this.deadlineMs = limits.timeMs === undefined ? Infinity : performance.now() + limits.timeMs;
  }

  /**
   * Counts one node.
   *
   * @throws `OUT_OF_LIMIT` if it is one too many or comes too late.
   */
  spend(): void {
    this.nodes += 1;
    if (this.nodes > this.nodeLimit) throw OUT_OF_LIMIT;
    if (this.deadlineMs !== Infinity && this.nodes % CLOCK_NODES === 0) {
      if (performance.now() >= this.deadlineMs) throw OUT_OF_LIMIT;
    }
  }
}
