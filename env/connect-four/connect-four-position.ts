import { NotationError } from '../errors.js';
import type { Action, Outcome, Player } from '../game.js';

/** Number of rows. */
export const ROWS = 6;
/** Number of columns. */
export const COLUMNS = 7;
/** Number of cells; a cell is `row * 7 + column`, row 0 the bottom. */
export const NUM_CELLS = ROWS * COLUMNS;
/** One direction of each of the four lines through a stone, as [row step, column step]. */
const DIRECTIONS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
] as const;
/** Code of a column without stones. */
export const EMPTY_COLUMN = 1;

/** A Connect Four position with the moves that led to it. */
export interface ConnectFourState {
  /** `[7]` each column as bits: a 1, then the owners of its stones from the bottom up. */
  readonly columns: Uint8Array;
  /** `[7]` stones in each column, 0..6. */
  readonly heights: Uint8Array;
  /** `[6 * 7]` 0: empty; `player + 1`: a stone. Row 0 is the bottom. */
  readonly cells: Uint8Array;
  /** `[42]` columns played, the first `historyLength` of them. */
  readonly history: Uint8Array;
  historyLength: number;
  /** Stones on the board. */
  ply: number;
  outcome: Outcome | null;
}

/** The position before the first move. */
export function emptyState(): ConnectFourState {
  return {
    columns: new Uint8Array(COLUMNS).fill(EMPTY_COLUMN),
    heights: new Uint8Array(COLUMNS),
    cells: new Uint8Array(NUM_CELLS),
    history: new Uint8Array(NUM_CELLS),
    historyLength: 0,
    ply: 0,
    outcome: null,
  };
}

/** An independent copy. */
export function clone(state: ConnectFourState): ConnectFourState {
  return {
    ...state,
    columns: state.columns.slice(),
    heights: state.heights.slice(),
    cells: state.cells.slice(),
    history: state.history.slice(),
  };
}

/** Number of stones of the same owner that follow `cell` without a gap in one direction. */
function runLength(cells: Uint8Array, cell: number, rowStep: number, columnStep: number): number {
  const stone = cells[cell];
  let row = Math.floor(cell / COLUMNS) + rowStep;
  let column = (cell % COLUMNS) + columnStep;
  let length = 0;
  while (row >= 0 && row < ROWS && column >= 0 && column < COLUMNS) {
    if (cells[row * COLUMNS + column] !== stone) break;
    length += 1;
    row += rowStep;
    column += columnStep;
  }
  return length;
}

function isInFour(cells: Uint8Array, cell: number): boolean {
  for (const [rowStep, columnStep] of DIRECTIONS) {
    const length =
      runLength(cells, cell, rowStep, columnStep) + runLength(cells, cell, -rowStep, -columnStep);
    if (length >= 3) return true;
  }
  return false;
}

/** The player to move. */
export function currentPlayer(state: ConnectFourState): Player {
  return (state.ply & 1) as Player;
}

function drop(state: ConnectFourState, column: number, player: Player): void {
  state.cells[state.heights[column]! * COLUMNS + column] = player + 1;
  state.columns[column] = state.columns[column]! * 2 + player;
  state.heights[column]! += 1;
  state.ply += 1;
}

/** Drops a stone into a column that is not full. */
export function apply(state: ConnectFourState, column: Action): void {
  const player = currentPlayer(state);
  const cell = state.heights[column]! * COLUMNS + column;
  drop(state, column, player);
  state.history[state.historyLength++] = column;
  if (isInFour(state.cells, cell)) state.outcome = player === 0 ? 1 : -1;
  else if (state.ply === NUM_CELLS) state.outcome = 0;
}

/** Takes the last stone back. */
export function undo(state: ConnectFourState): void {
  const column = state.history[--state.historyLength]!;
  state.heights[column]! -= 1;
  state.ply -= 1;
  state.columns[column]! >>= 1;
  state.cells[state.heights[column]! * COLUMNS + column] = 0;
  state.outcome = null;
}

/** Whether the game is unfinished and `action` is a column that is not full. */
export function isLegal(state: ConnectFourState, action: Action): boolean {
  return state.outcome === null && Number.isInteger(action) && (state.heights[action] ?? ROWS) < ROWS;
}

/** Writes the legal actions, the columns that are not full, ascending; returns their number. */
export function legalActions(state: ConnectFourState, out: Int32Array): number {
  let count = 0;
  for (let column = 0; column < COLUMNS; column++) {
    if (isLegal(state, column)) out[count++] = column;
  }
  return count;
}

/** The number of legal actions. */
export function countLegalActions(state: ConnectFourState): number {
  let count = 0;
  for (let column = 0; column < COLUMNS; column++) {
    if (isLegal(state, column)) count += 1;
  }
  return count;
}

/** The codes of all columns, seven bits each: an exact hash, without collisions. */
export function hash(state: ConnectFourState): number {
  let value = 0;
  for (const code of state.columns) value = value * 128 + code;
  return value;
}

/**
 * Sets `state` to the position with these columns (`ConnectFourState.columns`), without history.
 *
 * @throws NotationError `position-size`; `position-turn` for unreachable boards.
 */
export function setColumns(state: ConnectFourState, codes: Uint8Array): void {
  if (codes.length !== COLUMNS) {
    throw new NotationError('position-size', `expected ${COLUMNS} bytes, got ${codes.length}`);
  }
  Object.assign(state, { historyLength: 0, ply: 0, outcome: null });
  state.columns.fill(EMPTY_COLUMN);
  state.heights.fill(0);
  state.cells.fill(0);
  let lead = 0;
  codes.forEach((code, column) => {
    if (code < EMPTY_COLUMN || code >= 2 << ROWS) {
      throw new NotationError('position-size', `expected 0 to ${ROWS} stones in column ${column}`);
    }
    for (let bit = 30 - Math.clz32(code); bit >= 0; bit--) {
      const player = ((code >> bit) & 1) as Player;
      lead += player === 0 ? 1 : -1;
      drop(state, column, player);
    }
  });
  if (lead !== (state.ply & 1)) {
    throw new NotationError(
      'position-turn',
      'expected equally many stones of both sides, or one more of the first',
    );
  }
  const lines = state.cells.map((stone, cell) => (stone !== 0 && isInFour(state.cells, cell) ? stone : 0));
  if (lines.includes(currentPlayer(state) + 1)) {
    throw new NotationError('position-turn', 'expected no four in a row of the side to move');
  }
  if (lines.includes(2 - currentPlayer(state))) state.outcome = currentPlayer(state) === 0 ? -1 : 1;
  else if (state.ply === NUM_CELLS) state.outcome = 0;
}
