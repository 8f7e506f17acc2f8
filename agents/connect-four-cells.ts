import { CONNECT_FOUR_LINES } from '../env/connect-four/connect-four-evaluation.js';
import { COLUMNS, NUM_CELLS, ROWS } from '../env/connect-four/connect-four-position.js';
import type { Player } from '../env/game.js';

/** Number of lines of four cells. */
export const NUM_LINES = CONNECT_FOUR_LINES.length;

/** Whether a cell is in an even row: the second, fourth or sixth. */
function isEven(cell: number): boolean {
  return Math.floor(cell / COLUMNS) % 2 === 1;
}

/** `[cells]` lines through each cell. */
export const LINES_OF = Array.from({ length: NUM_CELLS }, (_, cell) =>
  Uint8Array.from(CONNECT_FOUR_LINES.flatMap((line, index) => (line.includes(cell) ? [index] : []))),
);
/** `[lines, 4]` the cells of each line. */
export const CELLS_OF = Uint8Array.from(CONNECT_FOUR_LINES.flat());
/** `[cells]` 1 in the second, fourth and sixth row. */
export const IS_EVEN = Uint8Array.from({ length: NUM_CELLS }, (_, cell) => (isEven(cell) ? 1 : 0));
/** `[lines]` cells of each line in the second, fourth and sixth row. */
export const EVEN_CELLS = Uint8Array.from(CONNECT_FOUR_LINES, (line) => line.filter(isEven).length);

/** Value of a line for ordering the moves on it, by the number of stones of one side; the other side has none there. */
export const LINE_WORTH = Int32Array.of(1, 4, 16, 0, 0);

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

/**
 * A number for a position and its mirror image, in which the mover's stones count double.
 *
 * @param bits `[2]` sum of the bits of each player's stones.
 * @param mirroredBits the same of the mirror image.
 */
export function keyOf(mover: Player, bits: Float64Array, mirroredBits: Float64Array): number {
  const other = 1 - mover;
  const straight = 2 * bits[mover]! + bits[other]!;
  const mirrored = 2 * mirroredBits[mover]! + mirroredBits[other]!;
  return straight < mirrored ? straight : mirrored;
}
