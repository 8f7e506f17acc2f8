import type { Selectivity } from '../../../definition/selectivity.js';

/** Greatest depth of nodes that skip late moves, and of nodes that are cut off by their evaluation. */
const SKIPPING_DEPTH = 5;
const CUTTING_DEPTH = 6;
/** Moves that are tried before others are skipped, times the square of the depth. */
const TRIED_MOVES = 3;
/** Reverse futility margin per ply of depth, in units of the evaluation's `scale`. */
const CUT_SCALES = 1 / 4;

/**
 * For an evaluation that judges quiet positions well: late moves are reduced by the product of the logarithms of depth
 * and number, as in most chess programs, and skipped near the end of a line.
 *
 * @param scale of the evaluation.
 */
export function boldSelectivity(scale: number): Selectivity {
  return {
    reduction: (depth, tried) => Math.min(depth - 1, Math.floor(1 + Math.log(depth) * Math.log(tried))),
    limit: (depth) => (depth <= SKIPPING_DEPTH ? TRIED_MOVES * depth * depth : Infinity),
    margin: (depth) => (depth <= CUTTING_DEPTH ? depth * CUT_SCALES * scale : Infinity),
  };
}
