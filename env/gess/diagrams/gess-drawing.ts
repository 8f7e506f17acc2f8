import type { BoardDrawing, DrawnSquare, SquareMark } from '../../diagrams/board-drawing.js';
import { isOnGrid, SIZE } from '../gess-board.js';
import { clonePosition } from '../gess-position.js';
import { undoMove } from '../gess-moves.js';
import { threatenedRings } from '../heuristics/threatened-rings.js';
import type { Movement } from '../movement.js';
import { fileName, formatSquare } from '../move-notation.js';
import { type Diagram, isWithin, stoneOn } from './gess-diagram.js';

const FILLS = { grid: '#e3b968', outside: '#b0843e', stones: ['#141414', '#fbfaf6'] } as const;

/** The squares whose stones the last move captured. */
function capturedSquares({ position, lastMove }: Diagram): ReadonlySet<number> {
  if (lastMove === null || position.historyLength === 0) return new Set();
  const before = clonePosition(position);
  undoMove(before);
  const captured = new Set<number>();
  for (let square = 0; square < SIZE * SIZE; square++) {
    const isTaken = isWithin(lastMove.end, square) && !isWithin(lastMove.start, square);
    if (isTaken && stoneOn(before, square) !== null) captured.add(square);
  }
  return captured;
}

/** The marks of a square, given the rings in danger and the captured stones. */
function marksOf(
  { lastMove, rings, piece }: Diagram,
  square: number,
  { threats, captured }: { readonly threats: readonly number[]; readonly captured: ReadonlySet<number> },
): SquareMark[] {
  const isInRing = (ring: number): boolean => ring !== square && isWithin(ring, square);
  const marks: readonly (readonly [SquareMark, boolean])[] = [
    ['before', lastMove !== null && isWithin(lastMove.start, square)],
    ['after', lastMove !== null && isWithin(lastMove.end, square)],
    ['captured', captured.has(square)],
    ['ring', rings.some(isInRing)],
    ['threat', threats.some(isInRing)],
    ['piece', piece !== null && isWithin(piece.square, square)],
    ['center', piece?.square === square],
    ['destination', piece?.destinations.includes(square) === true],
  ];
  return marks.filter(([, isMarked]) => isMarked).map(([mark]) => mark);
}

function noteOf(player: 'black' | 'white', rings: readonly number[]): string[] {
  return rings.map((ring) => `${player}'s ring on ${formatSquare(ring)} is in danger`);
}

/** The board as squares, rank 20 at the top. */
export function drawGess(diagram: Diagram, movement: Movement): BoardDrawing {
  const { position } = diagram;
  const isOver = position.outcome !== null;
  const [black, white] = ([0, 1] as const).map((player) =>
    isOver ? [] : threatenedRings(position, movement, player),
  );
  const marked = { threats: [...black!, ...white!], captured: capturedSquares(diagram) };
  const squareAt = (row: number, column: number): DrawnSquare => {
    const square = row * SIZE + column;
    const player = stoneOn(position, square);
    return {
      ...(player !== null && { piece: { player, shape: 'disc' } }),
      ...(isOnGrid(row, column) ? { fill: FILLS.grid } : { fill: FILLS.outside, isOutside: true }),
      marks: marksOf(diagram, square, marked),
    };
  };
  const numbers = Array.from({ length: SIZE }, (_, index) => index);
  return {
    columnNames: numbers.map(fileName),
    rowNames: numbers.map((index) => String(SIZE - index)),
    rows: numbers.map((index) => numbers.map((column) => squareAt(SIZE - 1 - index, column))),
    pieceFills: FILLS.stones,
    notes: [...noteOf('black', black!), ...noteOf('white', white!)],
  };
}
