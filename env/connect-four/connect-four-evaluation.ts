import type { ConnectFourState } from './connect-four-position.js';
import type { Evaluation } from '../definition/evaluation.js';

const ROWS = 6;
const COLUMNS = 7;
/** Value of a line of four squares without a stone of the other side, by the number of own stones. */
const LINE_WORTH = [0, 1, 4, 16] as const;

/** `[69, 4]` the cells of every line of four. */
export const CONNECT_FOUR_LINES: readonly (readonly number[])[] = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
].flatMap(([rowStep, columnStep]) => {
  const lines: number[][] = [];
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      const lastColumn = column + 3 * columnStep!;
      if (row + 3 * rowStep! >= ROWS || lastColumn < 0 || lastColumn >= COLUMNS) continue;
      lines.push([0, 1, 2, 3].map((step) => (row + step * rowStep!) * COLUMNS + column + step * columnStep!));
    }
  }
  return lines;
});

/** The sum of the values of all lines for player 0. */
function valueToFirst(cells: Uint8Array): number {
  let value = 0;
  for (const line of CONNECT_FOUR_LINES) {
    let first = 0;
    let second = 0;
    for (const cell of line) {
      if (cells[cell] === 1) first += 1;
      else if (cells[cell] === 2) second += 1;
    }
    if (second === 0) value += LINE_WORTH[first as 0 | 1 | 2 | 3];
    else if (first === 0) value -= LINE_WORTH[second as 0 | 1 | 2 | 3];
  }
  return value;
}

/**
 * Hand-written evaluation of Connect Four: lines of four that only one side can still complete; middle
 * columns are most promising.
 */
export const connectFourEvaluation: Evaluation<ConnectFourState> = {
  evaluate: (state) => (state.ply % 2 === 0 ? valueToFirst(state.cells) : -valueToFirst(state.cells)),
  promise: (_state, column) => 3 - Math.abs(column - 3),
  scale: 20,
};
