import { COLUMNS, NUM_CELLS, ROWS } from '../env/connect-four/connect-four-position.js';

/**
 * `[cells]` a bit for each cell, as float64: 49 bits do not fit into an integer word. A column has the bits of its rows
 * and one more.
 *
 * The sum of the bits of all stones, those of one player counted twice, determines the position: a column of `n` stones
 * adds at least `2^n - 1` and at most `2^(n + 1) - 2` times the bit of its lowest cell, and these ranges are disjoint.
 */
export const BIT = Float64Array.from(
  { length: NUM_CELLS },
  (_, cell) => 2 ** ((cell % COLUMNS) * (ROWS + 1) + Math.floor(cell / COLUMNS)),
);

/** `[cells]` the bit of the mirror image of each cell. */
export const MIRRORED_BIT = BIT.map((_, cell) => BIT[cell - 2 * (cell % COLUMNS) + COLUMNS - 1]!);
