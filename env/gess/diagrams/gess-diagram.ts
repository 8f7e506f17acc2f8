import { turnCaption } from '../../diagrams/turn-caption.js';
import { type Action, type DiagramOptions, NO_ACTION, type Paint } from '../../game.js';
import { endSquare, isOnGrid, SIZE, startSquare } from '../gess-board.js';
import { describePiece, type PieceDescription } from './figure-code.js';
import { fileName, formatMove, formatSquare, parseSquare } from '../move-notation.js';
import type { GessPosition } from '../gess-position.js';
import { recentAction } from '../gess-position.js';
import { allRings } from '../rings.js';
import { countOf } from '../../text/count-of.js';

/** Centres of each player's rings, such as `l3`, by rank and file. */
export function nameRings(position: GessPosition): { readonly black: string[]; readonly white: string[] } {
  const [black, white] = position.stones;
  return {
    black: allRings(black, white).map(formatSquare),
    white: allRings(white, black).map(formatSquare),
  };
}

/** Why a finished game has its outcome (docs/reference/rules.md, 3.2, 3.3). */
export function explainOutcome(position: GessPosition): string {
  const { black, white } = nameRings(position);
  if (position.outcome === null) return 'the game goes on';
  const loser = position.outcome === 1 ? 'white' : 'black';
  if (black.length > 0 && white.length > 0) return `${loser} has no legal move`;
  const mover = position.player === 0 ? 'white' : 'black';
  const isOwnDoing = loser === mover;
  return `${loser} has no ring left${isOwnDoing ? ': the last move broke it' : ''}`;
}

/** The content of a diagram, as text or SVG. Squares are `row * 20 + column`. */
export interface Diagram {
  readonly position: GessPosition;
  readonly lastMove: { readonly start: number; readonly end: number } | null;
  /** Centres of the rings of both players. */
  readonly rings: readonly number[];
  /** The chosen piece. */
  readonly piece: { readonly square: number; readonly destinations: readonly number[] } | null;
  /** Lines below the board: the player to move and the last move, the rings, the piece. */
  readonly captions: readonly string[];
}

/** The owner of the stone on a square; null if empty. */
export function stoneOn(position: GessPosition, square: number): 0 | 1 | null {
  const index = Math.floor(square / SIZE) + 1;
  const column = square % SIZE;
  if ((position.stones[0][index]! >> column) & 1) return 0;
  return (position.stones[1][index]! >> column) & 1 ? 1 : null;
}

/** Whether `square` is one of the nine around `center`. */
export function isWithin(center: number, square: number): boolean {
  const rows = Math.floor(center / SIZE) - Math.floor(square / SIZE);
  return Math.abs(rows) <= 1 && Math.abs((center % SIZE) - (square % SIZE)) <= 1;
}

function pieceCaption({ center, figure, name, destinations }: PieceDescription): string {
  if (destinations.length === 0) return `no legal move from ${center}`;
  const figureText = name === null ? figure : `${figure} (${name})`;
  return `piece ${center}: ${figureText}, ${countOf(destinations.length, 'legal move')}`;
}

/**
 * Collects the content of a diagram. `actions` lists the legal actions; it is called only if a piece is
 * chosen.
 *
 * @throws NotationError `action-syntax` if `piece` is not a square.
 */
export function createDiagram(
  position: GessPosition,
  actions: () => readonly Action[],
  { piece: pieceText }: DiagramOptions = {},
): Diagram {
  const [black, white] = position.stones;
  const action = recentAction(position, 1);
  const rings = nameRings(position);
  const captions = [
    turnCaption(position, ['black', 'white'], action === NO_ACTION ? null : formatMove(action)),
    `rings: black ${rings.black.join(' ') || 'none'}, white ${rings.white.join(' ') || 'none'}`,
  ];
  let piece: Diagram['piece'] = null;
  if (pieceText !== undefined) {
    const square = parseSquare(pieceText);
    const description = describePiece(position, square, actions());
    captions.push(pieceCaption(description));
    piece = { square, destinations: description.destinations.map(parseSquare) };
  }
  return {
    position,
    lastMove: action === NO_ACTION ? null : { start: startSquare(action), end: endSquare(action) },
    rings: [...allRings(black, white), ...allRings(white, black)],
    piece,
    captions,
  };
}

/** `x` and `o` for stones, in capitals on the chosen piece's destinations; marks for other squares. */
function squareText({ position, lastMove, piece }: Diagram, square: number, paint: Paint): string {
  const stone = stoneOn(position, square);
  const isDestination = piece?.destinations.includes(square) === true;
  if (stone !== null) {
    return paint(stone === 0 ? 'first' : 'second', (isDestination ? 'XO' : 'xo').charAt(stone));
  }
  if (isDestination) return paint('choice', '*');
  const row = Math.floor(square / SIZE);
  const column = square % SIZE;
  if (lastMove !== null && isWithin(lastMove.end, square)) return paint('last-move', '+');
  if (lastMove !== null && isWithin(lastMove.start, square)) return paint('last-move', '-');
  return isOnGrid(row, column) ? '.' : ' ';
}

const BRACKETS = { ring: ['(', ')'], choice: ['[', ']'] } as const;

/**
 * A rank with brackets between squares: `[ ]` around the chosen piece's centre, `( )` around those of rings.
 */
function rankText(diagram: Diagram, row: number, paint: Paint): string {
  const gaps = Array<string>(SIZE + 1).fill(' ');
  const bracket = (square: number, kind: 'ring' | 'choice'): void => {
    if (Math.floor(square / SIZE) !== row) return;
    const [open, close] = BRACKETS[kind];
    gaps[square % SIZE] = paint(kind, open);
    gaps[(square % SIZE) + 1] = paint(kind, close);
  };
  for (const ring of diagram.rings) bracket(ring, 'ring');
  if (diagram.piece !== null) bracket(diagram.piece.square, 'choice');
  const squares = gaps
    .slice(0, SIZE)
    .map((gap, column) => gap + squareText(diagram, row * SIZE + column, paint));
  return `${String(row + 1).padStart(2)}${squares.join('')}${gaps[SIZE]!}${row + 1}`;
}

/** The board for a terminal, rank 20 at the top, with a legend. */
export function renderDiagram(diagram: Diagram, paint: Paint = (_kind, text) => text): string {
  const files = `   ${Array.from({ length: SIZE }, (_, column) => fileName(column)).join(' ')}`;
  const ranks = Array.from({ length: SIZE }, (_, i) => rankText(diagram, SIZE - 1 - i, paint));
  const legends = [
    'x black, o white',
    ...(diagram.lastMove === null ? [] : ['- and + the last move’s footprint before and after']),
    ...(diagram.rings.length === 0 ? [] : ['( ) rings']),
  ];
  const pieceLegend = diagram.piece === null ? [] : ['[ ] the piece, * and capitals its destinations'];
  return [files, ...ranks, files, '', ...diagram.captions, legends.join('; '), ...pieceLegend].join('\n');
}
