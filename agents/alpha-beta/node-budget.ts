import type { AlphaBetaLimits } from './alpha-beta-options.js';

/** Nodes between two checks of the clock and of `shouldStop`. */
const CHECK_NODES = 256;

/** Thrown inside a search to leave it when its limit is reached; never leaves this folder. */
export const OUT_OF_LIMIT = new Error('the limit of the search is reached');

/** Counts the nodes of a search and ends it at its limits. */
export class NodeBudget {
  /** Nodes since `begin`, at most the limit. */
  nodes = 0;
  private nodeLimit = Infinity;
  private deadlineMs = Infinity;
  private shouldStop: (() => boolean) | undefined;
  /** Whether the time or `shouldStop` may end the search. */
  private isWatched = false;

  /** Starts counting from 0. */
  begin(limits: AlphaBetaLimits): void {
    this.nodes = 0;
    this.nodeLimit = limits.nodes ?? Infinity;
    this.deadlineMs = limits.timeMs === undefined ? Infinity : performance.now() + limits.timeMs;
    this.shouldStop = limits.shouldStop;
    this.isWatched = limits.timeMs !== undefined || limits.shouldStop !== undefined;
  }

  /**
   * Counts one node.
   *
   * @throws `OUT_OF_LIMIT` if it exceeds the limit of nodes or time, or `shouldStop` returns true.
   */
  spend(): void {
    if (this.nodes >= this.nodeLimit) throw OUT_OF_LIMIT;
    this.nodes += 1;
    if (this.isWatched && this.nodes % CHECK_NODES === 0) {
      if (performance.now() >= this.deadlineMs || this.shouldStop?.() === true) throw OUT_OF_LIMIT;
    }
  }
}
