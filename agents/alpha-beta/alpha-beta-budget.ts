import type { AlphaBetaLimits } from './alpha-beta-options.js';

/** Nodes between two looks at the clock. */
const CLOCK_NODES = 256;

/** Thrown inside a search to leave it when its limit is reached; never leaves this folder. */
export const OUT_OF_LIMIT = new Error('the limit of the search is reached');

/** Counts nodes, and ends a search that has none left. It looks at the clock only where there is a limit of time. */
export class SearchBudget {
  nodes = 0;
  private nodeLimit = Infinity;
  private deadlineMs = Infinity;

  /** Starts to count, from now. */
  begin(limits: AlphaBetaLimits): void {
    this.nodes = 0;
    this.nodeLimit = limits.nodes ?? Infinity;
    this.deadlineMs = limits.timeMs === undefined ? Infinity : performance.now() + limits.timeMs;
  }

  /** Counts one node. Throws `OUT_OF_LIMIT`. */
  spend(): void {
    this.nodes += 1;
    if (this.nodes > this.nodeLimit) throw OUT_OF_LIMIT;
    if (this.deadlineMs !== Infinity && this.nodes % CLOCK_NODES === 0) {
      if (performance.now() >= this.deadlineMs) throw OUT_OF_LIMIT;
    }
  }
}
