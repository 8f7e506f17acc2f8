import type { Game } from '../../env/game.js';
import { endSquare, SIZE, startSquare } from '../../env/gess/gess-board.js';
import { figureCode, figureName, formatFigureCode } from '../../env/gess/diagrams/figure-code.js';
import { stoneOn } from '../../env/gess/diagrams/gess-diagram.js';
import type { GessPosition } from '../../env/gess/gess-position.js';
import { fileName, formatSquare } from '../../env/gess/move-notation.js';
import { allRings } from '../../env/gess/rings.js';
import { type BoardRules, legalActions, type Piece, type Square } from './board-rules.js';

function stones(position: GessPosition): readonly Piece[] {
  const found: Piece[] = [];
  for (let square = 0; square < SIZE * SIZE; square++) {
    const player = stoneOn(position, square);
    if (player !== null) found.push({ square, player, shape: 'stone' });
  }
  return found;
}

/** A footprint overlaps a ring if the centres are at most this many rows and columns apart. */
const MEETING = 2;

/** Rings that a move can meet: a piece that meets a ring breaks it (docs/rules.md, 2.3). */
function threatenedRings(game: Game<GessPosition>, position: GessPosition): readonly Square[] {
  if (position.outcome !== null) return [];
  const [black, white] = position.stones;
  return ([0, 1] as const).flatMap((owner) => {
    const attacker = game.clone(position);
    // Only the list of moves is asked for, which does not depend on the hash.
    attacker.player = owner === 0 ? 1 : 0;
    const ends = legalActions(game, attacker).map(endSquare);
    const rings = owner === 0 ? allRings(black, white) : allRings(white, black);
    return rings.filter((ring) => ends.some((end) => meets(ring, end)));
  });
}

function meets(ring: Square, end: Square): boolean {
  const rows = Math.abs(Math.floor(ring / SIZE) - Math.floor(end / SIZE));
  return rows <= MEETING && Math.abs((ring % SIZE) - (end % SIZE)) <= MEETING;
}

/** The board of Gess and Gach: the grid of 18 x 18 squares, and those around it, where only centres can be. */
export const gessBoardRules: BoardRules<GessPosition> = {
  rows: SIZE,
  columns: SIZE,
  margin: 1,
  reach: 1,
  columnNames: Array.from({ length: SIZE }, (_, column) => fileName(column)),
  rowNames: Array.from({ length: SIZE }, (_, row) => String(row + 1)),
  zones: [],
  pieceWords: ['black stone', 'white stone'],
  dropsPieces: false,
  squareName: formatSquare,
  pieces: stones,
  startOf: startSquare,
  endOf: (_position, action) => endSquare(action),
  rings: ({ stones: [black, white] }) => [allRings(black, white), allRings(white, black)],
  threatenedRings,
  clocks: () => null,
  pieceName: (position, square) => {
    const code = figureCode(position, square, position.player);
    return figureName(code, position.player) ?? formatFigureCode(code);
  },
};
