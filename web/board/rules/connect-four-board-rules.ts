import { COLUMNS, type ConnectFourState, ROWS } from '../../../env/connect-four/connect-four-position.js';
import type { BoardRules, Piece } from './board-rules.js';

function stones({ cells }: ConnectFourState): readonly Piece[] {
  const found: Piece[] = [];
  cells.forEach((stone, square) => {
    if (stone !== 0) found.push({ square, player: stone === 1 ? 0 : 1, shape: 'stone' });
  });
  return found;
}

/** The board of Connect Four, whose columns are numbered from 0. */
export const connectFourBoardRules: BoardRules<ConnectFourState> = {
  rows: ROWS,
  columns: COLUMNS,
  margin: 0,
  reach: 0,
  columnNames: Array.from({ length: COLUMNS }, (_, column) => String(column)),
  rowNames: Array.from({ length: ROWS }, (_, row) => String(row + 1)),
  zones: [],
  pieceWords: ['red stone', 'yellow stone'],
  dropsPieces: true,
  squareName: (square) => `column ${square % COLUMNS}, row ${Math.floor(square / COLUMNS) + 1}`,
  pieces: stones,
  startOf: () => null,
  endOf: ({ heights }, action) => Math.min(heights[action]!, ROWS - 1) * COLUMNS + action,
  rings: () => [[], []],
  threatenedRings: () => [],
  clocks: () => null,
  pieceName: () => null,
};
