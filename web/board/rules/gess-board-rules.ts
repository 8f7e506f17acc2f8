import type { Game } from '../../../env/game.js';
import { endSquare, SIZE, startSquare } from '../../../env/gess/gess-board.js';
import { figureCode, figureName, formatFigureCode } from '../../../env/gess/diagrams/figure-code.js';
import { stoneOn } from '../../../env/gess/diagrams/gess-diagram.js';
import type { GessPosition } from '../../../env/gess/gess-position.js';
import { parseRules } from '../../../env/gess/gess-rules.js';
import { threatenedRings } from '../../../env/gess/heuristics/threatened-rings.js';
import { fileName, formatSquare } from '../../../env/gess/move-notation.js';
import { createMovement } from '../../../env/gess/movement.js';
import { allRings } from '../../../env/gess/rings.js';
import type { BoardRules, Piece, Square } from './board-rules.js';

function stones(position: GessPosition): readonly Piece[] {
  const found: Piece[] = [];
  for (let square = 0; square < SIZE * SIZE; square++) {
    const player = stoneOn(position, square);
    if (player !== null) found.push({ square, player, shape: 'stone' });
  }
  return found;
}

function ringsInDanger({ rules }: Game<GessPosition>, position: GessPosition): readonly Square[] {
  if (position.outcome !== null) return [];
  const movement = createMovement(parseRules(rules));
  return ([0, 1] as const).flatMap((player) => threatenedRings(position, movement, player));
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
  threatenedRings: ringsInDanger,
  clocks: () => null,
  pieceName: (position, square) => {
    const code = figureCode(position, square, position.player);
    return figureName(code, position.player) ?? formatFigureCode(code);
  },
};
