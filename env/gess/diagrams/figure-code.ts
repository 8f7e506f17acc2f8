import { NotationError } from '../../errors.js';
import type { Action, Player } from '../../game.js';
import { endSquare, SIZE, startSquare } from '../gess-board.js';
import { formatSquare } from '../move-notation.js';
import type { GessPosition } from '../gess-position.js';
import { quote } from '../../text/quoted-text.js';

/**
 * The stones of a footprint as nine bits, 0 to 0o777: an octal digit a row, the row towards rank 20 first, and
 * in a row 4 for the left square, 2 for the middle, 1 for the right one. Its text has dashes: `7-5-7`.
 */
export type FigureCode = number;

/**
 * Figures with a name, from Black's view. Codes do not depend on the player: a pawn, one stone ahead, is
 * 2-0-0 for Black and 0-0-2 for White. The other figures look the same from both sides.
 */
const FIGURE_NAMES: ReadonlyMap<FigureCode, string> = new Map([
  [0o757, 'ring'],
  [0o777, 'queen'],
  [0o525, 'bishop'],
  [0o272, 'rook'],
  [0o200, 'pawn'],
]);

/** The figure of the stones of `player` in the footprint centred on `square`. */
export function figureCode(position: GessPosition, square: number, player: Player): FigureCode {
  const stones = position.stones[player];
  const index = Math.floor(square / SIZE) + 1;
  const column = square % SIZE;
  let code = 0;
  for (const row of [stones[index + 1]!, stones[index]!, stones[index - 1]!]) {
    // The lowest bit of a row is its left square, so bits are reversed; the shift adds a zero beside column
    // 0.
    const bits = ((row << 1) >> column) & 7;
    code = code * 8 + ((bits & 1) << 2) + (bits & 2) + (bits >> 2);
  }
  return code;
}

/** `7-5-7` for 0o757. */
export function formatFigureCode(code: FigureCode): string {
  return Array.from(code.toString(8).padStart(3, '0')).join('-');
}

/**
 * Inverse of `formatFigureCode`.
 *
 * @throws NotationError `figure-syntax`.
 */
export function parseFigureCode(text: string): FigureCode {
  if (!/^[0-7]-[0-7]-[0-7]$/.test(text)) {
    throw new NotationError(
      'figure-syntax',
      `expected a figure like 7-5-7, digits 0 to 7, got ${quote(text)}`,
    );
  }
  return Number.parseInt(text.replaceAll('-', ''), 8);
}

/** A figure from its owner's view, with the front in the first row: for White, the rows change places. */
export function ownFigure(code: FigureCode, player: Player): FigureCode {
  return player === 0 ? code : ((code & 7) << 6) | (code & 0o70) | (code >> 6);
}

/** `ring`, `queen`, `bishop`, `rook`, `pawn`, or null for a figure without a name. */
export function figureName(code: FigureCode, player: Player): string | null {
  return FIGURE_NAMES.get(ownFigure(code, player)) ?? null;
}

/** A piece with legal moves. */
export interface PieceDescription {
  /** `l3`. */
  readonly center: string;
  /** `7-5-7`. */
  readonly figure: string;
  /** `ring`, …, or null. */
  readonly name: string | null;
  /** Squares that its centre can go to, `l4`, …, in the order of the actions. */
  readonly destinations: readonly string[];
}

/** Describes the piece of the player to move on `square`; `actions` are the legal ones. */
export function describePiece(
  position: GessPosition,
  square: number,
  actions: readonly Action[],
): PieceDescription {
  const code = figureCode(position, square, position.player);
  return {
    center: formatSquare(square),
    figure: formatFigureCode(code),
    name: figureName(code, position.player),
    destinations: actions
      .filter((action) => startSquare(action) === square)
      .map((action) => formatSquare(endSquare(action))),
  };
}

/** Describes all pieces with legal moves, ordered by rank and file; `actions` are the legal ones. */
export function describePieces(position: GessPosition, actions: readonly Action[]): PieceDescription[] {
  const byStart = new Map<number, Action[]>();
  for (const action of actions) {
    const square = startSquare(action);
    const same = byStart.get(square);
    if (same === undefined) byStart.set(square, [action]);
    else same.push(action);
  }
  return Array.from(byStart, ([square, own]) => describePiece(position, square, own));
}
