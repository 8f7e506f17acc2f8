import type { Selectivity } from '../../env/definition/selectivity.js';

/** From this move on, the reduction is the greatest. */
const VERY_LATE_MOVE = 24;

/**
 * Reduces late quiet moves by a ply, from depth 4 on by up to `most`, and leaves out nothing.
 *
 * @param most greatest reduction.
 */
export function cautiousSelectivity(most: number): Selectivity {
  return {
    reduction: (depth, tried) => {
      if (depth < 3) return 0;
      return depth > 3 && tried >= VERY_LATE_MOVE ? most : 1;
    },
  };
}
