/** The parts that a search leaves out on the word of an evaluation: late quiet moves, nodes far above their window. */
export interface Selectivity {
  /** Plies by which the first search of a late quiet move is less deep, at a node of `depth`, after `tried` others. */
  reduction(depth: number, tried: number): number;
  /** Number of moves after which quiet moves are skipped, at a node of `depth` with an empty window. Default: all. */
  limit?(depth: number): number;
  /** The evaluation above its window from which such a node is not searched. Default: each is searched. */
  margin?(depth: number): number;
}
