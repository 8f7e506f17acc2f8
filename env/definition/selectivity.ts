/** Reductions and pruning that suit an evaluation: of late quiet moves, and of nodes far above beta. */
export interface Selectivity {
  /** Late move reduction: plies by which a quiet move after `tried` others is first searched shallower. */
  reduction(depth: number, tried: number): number;
  /** Late move pruning: moves after which quiet ones are skipped in a null window. Default: no limit. */
  limit?(depth: number): number;
  /** Reverse futility pruning: a node whose evaluation exceeds beta by this is pruned. Default: none. */
  margin?(depth: number): number;
}
