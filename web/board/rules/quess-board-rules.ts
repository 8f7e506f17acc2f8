import {
  EMPTY,
  formatSquare,
  isInZone,
  NUM_SQUARES,
  ownerOf,
  shapeOf,
  SIZE,
  startSquare,
  TARGETS,
} from '../../../env/quess/quess-board.js';
import type { QuessPosition } from '../../../env/quess/quess-position.js';
import type { BoardRules, Piece, Shape } from './board-rules.js';

/** The shapes by their number, from 1. */
const SHAPES: readonly Shape[] = ['triangle', 'circle', 'square'];
const SQUARES = Array.from({ length: NUM_SQUARES }, (_, square) => square);

function shapeAt({ cells }: QuessPosition, square: number): Shape {
  return SHAPES[shapeOf(cells[square]!) - 1]!;
}

function pieces(position: QuessPosition): readonly Piece[] {
  return SQUARES.filter((square) => position.cells[square] !== EMPTY).map((square) => ({
    square,
    player: ownerOf(position.cells[square]!),
    shape: shapeAt(position, square),
  }));
}

/** The board of Quess, row A at the top. */
export const quessBoardRules: BoardRules<QuessPosition> = {
  rows: SIZE,
  columns: SIZE,
  margin: 0,
  reach: 0,
  columnNames: Array.from({ length: SIZE }, (_, column) => String(column + 1)),
  rowNames: Array.from({ length: SIZE }, (_, row) => formatSquare(row * SIZE).charAt(0)),
  zones: ([0, 1] as const).map((player) => ({
    player,
    squares: SQUARES.filter((square) => isInZone(player, square)),
  })),
  pieceWords: ['light', 'dark'],
  dropsPieces: false,
  squareName: formatSquare,
  pieces,
  startOf: startSquare,
  endOf: (_position, action) => TARGETS[action]!,
  rings: () => [[], []],
  threatenedRings: () => [],
  clocks: ({ isTimed, clocks: [light = 0, dark = 0] }) => (isTimed ? [light / 1000, dark / 1000] : null),
  pieceName: shapeAt,
};
