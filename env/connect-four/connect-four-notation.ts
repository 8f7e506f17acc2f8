import { NotationError } from '../errors.js';
import type { Action } from '../game.js';
import {
  COLUMNS,
  emptyState,
  EMPTY_COLUMN,
  ROWS,
  setColumns,
  type ConnectFourState,
} from './connect-four-position.js';
import { quote } from '../text/quoted-text.js';

const ROW_TEXT = /^[ry.]{7}$/;

/**
 * Parses rows from the top down, joined by `/`: `r`, `y`, and `.` for an empty square.
 *
 * @throws NotationError `position-syntax`, `position-turn`.
 */
export function parsePosition(text: string): ConnectFourState {
  const rows = text.trim().split('/');
  if (rows.length !== ROWS || !rows.every((row) => ROW_TEXT.test(row))) {
    throw new NotationError(
      'position-syntax',
      `expected ${ROWS} rows of 7 of r, y and . joined by /, got ${quote(text)}`,
    );
  }
  const codes = new Uint8Array(COLUMNS).fill(EMPTY_COLUMN);
  for (let column = 0; column < COLUMNS; column++) {
    const stones = rows.map((row) => row.charAt(column)).reverse();
    const height = stones.filter((stone) => stone !== '.').length;
    if (stones.includes('.') && stones.indexOf('.') !== height) {
      throw new NotationError(
        'position-syntax',
        `expected no gap below a stone, found one in column ${column}`,
      );
    }
    for (const stone of stones.slice(0, height)) codes[column] = codes[column]! * 2 + (stone === 'y' ? 1 : 0);
  }
  const state = emptyState();
  setColumns(state, codes);
  return state;
}

/**
 * Formats six rows from the top down, `r` and `y` for stones. The player to move follows from their number.
 */
export function formatRows(state: ConnectFourState, separator: string): string {
  const rows: string[] = [];
  for (let row = ROWS - 1; row >= 0; row--) {
    rows.push(
      [...state.cells.subarray(row * COLUMNS, (row + 1) * COLUMNS)].map((s) => '.ry'.charAt(s)).join(''),
    );
  }
  return rows.join(separator);
}

/**
 * Parses a column, a digit.
 *
 * @throws NotationError `action-syntax`.
 */
export function parseAction(text: string): Action {
  if (!/^[0-6]$/.test(text))
    throw new NotationError('action-syntax', `expected a column 0 to 6, got ${quote(text)}`);
  return Number(text);
}
