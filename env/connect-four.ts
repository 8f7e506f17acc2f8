import { NotationError } from './errors.js';
import type { Action, Game, Outcome, Player, Symmetry } from './game.js';

const ROWS = 6;
const COLUMNS = 7;
const NUM_CELLS = ROWS * COLUMNS;
/** Own stones, the opponent's, and a plane of ones that shows a convolution where the board ends. */
const NUM_PLANES = 3;
/** Of each line through a stone, one of its two directions, as [row step, column step]. */
const DIRECTIONS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
] as const;
/** Code of a column without stones. */
const EMPTY_COLUMN = 1;

/** A Connect Four position with the moves that led to it. */
export interface ConnectFourState {
  /** `[7]` a column as bits: a 1, then its stones from the bottom up, 0 for player 0's and 1 for player 1's. */
  readonly columns: Uint8Array;
  /** `[7]` stones in each column, 0..6. */
  readonly heights: Uint8Array;
  /** `[6 * 7]` 0 empty, `player + 1` a stone; row 0 is the bottom. */
  readonly cells: Uint8Array;
  /** `[42]` columns played, the first `historyLength` of them. */
  readonly history: Uint8Array;
  historyLength: number;
  /** Stones on the board. */
  ply: number;
  outcome: Outcome | null;
}

function emptyState(): ConnectFourState {
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

function clone(state: ConnectFourState): ConnectFourState {
  return {
    ...state,
    columns: state.columns.slice(),
    heights: state.heights.slice(),
    cells: state.cells.slice(),
    history: state.history.slice(),
  };
}

/** Stones like the one on `cell` that follow it without a gap in one direction. */
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

function currentPlayer(state: ConnectFourState): Player {
  return (state.ply & 1) as Player;
}

function drop(state: ConnectFourState, column: number, player: Player): void {
  state.cells[state.heights[column]! * COLUMNS + column] = player + 1;
  state.columns[column] = state.columns[column]! * 2 + player;
  state.heights[column]! += 1;
  state.ply += 1;
}

function apply(state: ConnectFourState, column: Action): void {
  const player = currentPlayer(state);
  const cell = state.heights[column]! * COLUMNS + column;
  drop(state, column, player);
  state.history[state.historyLength++] = column;
  if (isInFour(state.cells, cell)) state.outcome = player === 0 ? 1 : -1;
  else if (state.ply === NUM_CELLS) state.outcome = 0;
}

function undo(state: ConnectFourState): void {
  const column = state.history[--state.historyLength]!;
  state.heights[column]! -= 1;
  state.ply -= 1;
  state.columns[column]! >>= 1;
  state.cells[state.heights[column]! * COLUMNS + column] = 0;
  state.outcome = null;
}

function isLegal(state: ConnectFourState, action: Action): boolean {
  return state.outcome === null && Number.isInteger(action) && (state.heights[action] ?? ROWS) < ROWS;
}

function legalActions(state: ConnectFourState, out: Int32Array): number {
  let count = 0;
  for (let column = 0; column < COLUMNS; column++) {
    if (isLegal(state, column)) out[count++] = column;
  }
  return count;
}

function countLegalActions(state: ConnectFourState): number {
  let count = 0;
  for (let column = 0; column < COLUMNS; column++) {
    if (isLegal(state, column)) count += 1;
  }
  return count;
}

/** The columns' codes are seven bits each, so this is exact: no two positions share a hash. */
function hash(state: ConnectFourState): number {
  let value = 0;
  for (const code of state.columns) value = value * 128 + code;
  return value;
}

/** Planes, fastest: 0 own stones, 1 the opponent's, 2 ones. */
function observe(
  state: ConnectFourState,
  out: Float32Array,
  offset: number,
  viewer = currentPlayer(state),
): void {
  const own = viewer + 1;
  for (let cell = 0; cell < NUM_CELLS; cell++) {
    const stone = state.cells[cell]!;
    const at = offset + cell * NUM_PLANES;
    out[at] = stone === own ? 1 : 0;
    out[at + 1] = stone === 3 - own ? 1 : 0;
    out[at + 2] = 1;
  }
}

/** Fills in what follows from the columns' codes; refuses boards that no game leads to. */
function setColumns(state: ConnectFourState, codes: Uint8Array): void {
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
      `expected as many stones of each side, or one more of the first`,
    );
  }
  const lines = state.cells.map((stone, cell) => (stone !== 0 && isInFour(state.cells, cell) ? stone : 0));
  if (lines.includes(currentPlayer(state) + 1)) {
    throw new NotationError('position-turn', 'expected no four in a row of the side to move');
  }
  if (lines.includes(2 - currentPlayer(state))) state.outcome = currentPlayer(state) === 0 ? -1 : 1;
  else if (state.ply === NUM_CELLS) state.outcome = 0;
}

const ROW_TEXT = /^[ry.]{7}$/;

function parsePosition(text: string): ConnectFourState {
  const rows = text.trim().split('/');
  if (rows.length !== ROWS || !rows.every((row) => ROW_TEXT.test(row))) {
    throw new NotationError(
      'position-syntax',
      `expected ${ROWS} rows of 7 of r, y and . joined by /, got '${text}'`,
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

/** Six rows from the top down, `r` and `y` for stones; whose turn it is follows from their number. */
function formatRows(state: ConnectFourState, separator: string): string {
  const rows: string[] = [];
  for (let row = ROWS - 1; row >= 0; row--) {
    rows.push(
      [...state.cells.subarray(row * COLUMNS, (row + 1) * COLUMNS)].map((s) => '.ry'.charAt(s)).join(''),
    );
  }
  return rows.join(separator);
}

function parseAction(text: string): Action {
  if (!/^[0-6]$/.test(text))
    throw new NotationError('action-syntax', `expected a column 0 to 6, got '${text}'`);
  return Number(text);
}

const COLUMN_NUMBERS = [0, 1, 2, 3, 4, 5, 6];

const SYMMETRIES: readonly Symmetry[] = [
  {
    name: 'identity',
    squares: Uint16Array.from({ length: NUM_CELLS }, (_, cell) => cell),
    policyIndices: Uint16Array.from(COLUMN_NUMBERS),
  },
  {
    name: 'mirror',
    squares: Uint16Array.from({ length: NUM_CELLS }, (_, cell) => cell - 2 * (cell % COLUMNS) + COLUMNS - 1),
    policyIndices: Uint16Array.from(COLUMN_NUMBERS).reverse(),
  },
];

/**
 * Connect Four, 7 columns by 6 rows: the small, solved game of tests and comparisons, and the example of
 * how to add a game. An action is a column, 0..6; its text is the digit. A position's text is its rows from
 * the top down, joined by `/`. `pack` writes the seven columns' codes.
 */
export const connectFour: Game<ConnectFourState> = {
  id: 'connect-four',
  rules: 'standard',
  rulesVersion: 1,
  encodingVersion: 1,
  playerNames: ['red', 'yellow'],
  numActions: COLUMNS,
  maxLegalActions: COLUMNS,
  observationShape: [ROWS, COLUMNS, NUM_PLANES],
  policyShape: [1, COLUMNS, 1],
  plyLimit: NUM_CELLS,
  symmetries: SYMMETRIES,
  packedSize: COLUMNS,
  initialState: emptyState,
  clone,
  currentPlayer,
  ply: (state) => state.ply,
  outcome: (state) => state.outcome,
  legalActions,
  countLegalActions,
  isLegal,
  apply,
  undo,
  historyLength: (state) => state.historyLength,
  historyAction: (state, index) => state.history[index]!,
  hash,
  observationHash: hash,
  observe,
  policyIndex: (_player, action) => action,
  actionOfPolicyIndex: (_player, index) => index,
  pack: (state, out, offset) => {
    out.set(state.columns, offset);
  },
  unpack: (bytes, offset, state) => {
    setColumns(state, bytes.slice(offset, offset + COLUMNS));
  },
  parsePosition,
  formatPosition: (state) => formatRows(state, '/'),
  parseAction,
  formatAction: String,
  explainIllegal: () => 'goes to a full column',
  render: (state) => `${formatRows(state, '\n')}\n0123456`,
};
