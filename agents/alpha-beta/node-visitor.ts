/**
 * The search of one node: the interface that the parts of a search use. Values are to the player to move: exact between
 * `alpha` and `beta`, else a bound. The position is not over. All throw `OUT_OF_LIMIT`.
 */
export interface NodeVisitor {
  /** The value of the position at `ply`, `depth` >= 1 plies deep. */
  visit(depth: number, ply: number, alpha: number, beta: number): number;
  /** The value of the position at `ply`, `depth` >= 0 plies deep: at depth 0 by quiescence or by the evaluation. */
  valueAt(depth: number, ply: number, alpha: number, beta: number): number;
}
