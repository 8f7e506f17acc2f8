import type { BoardDrawing, DrawnPiece, DrawnSquare, SquareMark } from '../diagrams/board-drawing.js';
import { type DiagramOptions, NO_ACTION } from '../game.js';
import { EMPTY, isInZone, ownerOf, shapeOf, SIZE, TARGETS } from './quess-board.js';
import { findMarks, type Marks, ROW_NAMES } from './quess-diagram.js';
import { undoMove } from './quess-moves.js';
import { clonePosition, type QuessPosition, recentAction } from './quess-position.js';

const FILLS = { square: '#d9b98a', zones: ['#e3a65a', '#a9bfd8'], pieces: ['#fffdf6', '#1c2a4a'] } as const;
const SHAPES: readonly DrawnPiece['shape'][] = ['disc', 'triangle', 'disc', 'square'];

/** The square where the last move captured a piece, or none. */
function capturedSquare(position: QuessPosition): number | undefined {
  const action = recentAction(position, 1);
  if (action === NO_ACTION || position.historyLength === 0) return undefined;
  const before = clonePosition(position);
  undoMove(before);
  const square = TARGETS[action]!;
  return before.cells[square] === EMPTY ? undefined : square;
}

function marksOf({ lastMove, piece, destinations }: Marks, square: number, captured: number | undefined) {
  const marks: readonly (readonly [SquareMark, boolean])[] = [
    ['before', lastMove[0] === square],
    ['after', lastMove[1] === square],
    ['captured', captured === square],
    ['piece', piece === square],
    ['destination', destinations.includes(square)],
  ];
  return marks.filter(([, isMarked]) => isMarked).map(([mark]) => mark);
}

/**
 * The board as squares, row A at the top.
 *
 * @throws NotationError `action-syntax` if `piece` is not a square.
 */
export function drawQuess(position: QuessPosition, options?: DiagramOptions): BoardDrawing {
  const marks = findMarks(position, options);
  const captured = capturedSquare(position);
  const squareAt = (row: number, column: number): DrawnSquare => {
    const square = row * SIZE + column;
    const piece = position.cells[square]!;
    const zone = isInZone(0, square) ? 0 : isInZone(1, square) ? 1 : undefined;
    return {
      ...(piece !== EMPTY && { piece: { player: ownerOf(piece), shape: SHAPES[shapeOf(piece)]! } }),
      fill: zone === undefined ? FILLS.square : FILLS.zones[zone],
      marks: marksOf(marks, square, captured),
    };
  };
  const numbers = Array.from({ length: SIZE }, (_, index) => index);
  return {
    columnNames: numbers.map((column) => String(column + 1)),
    rowNames: numbers.map((index) => ROW_NAMES.charAt(SIZE - 1 - index)),
    rows: numbers.map((index) => numbers.map((column) => squareAt(SIZE - 1 - index, column))),
    pieceFills: FILLS.pieces,
    notes: [],
  };
}
