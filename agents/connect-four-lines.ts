import { CONNECT_FOUR_LINES } from '../env/connect-four/connect-four-evaluation.js';
import { COLUMNS, NUM_CELLS } from '../env/connect-four/connect-four-position.js';

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
