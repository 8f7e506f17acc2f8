import { isOnGrid, rowOf, SIZE } from '../../env/gess/gess-board.js';
import { formatSgfPoint, parseSgfPoint } from '../../env/gess/move-notation.js';
import { formatPosition, parsePosition, START_TEXT } from '../../env/gess/position-notation.js';
import { emptyPosition, type GessPosition } from '../../env/gess/gess-position.js';
import { DataError } from '../data-error.js';
import { COLORS } from './sgf-fields.js';
import type { SgfNode } from './sgf-tree.js';
import { quote } from '../../env/text/quoted-text.js';

function hasStone(position: GessPosition, color: 0 | 1, square: number): boolean {
  return ((position.stones[color][rowOf(square) + 1]! >> (square % SIZE)) & 1) === 1;
}

function setStone(position: GessPosition, square: number, color: 0 | 1 | null): void {
  const index = rowOf(square) + 1;
  const bit = 1 << (square % SIZE);
  position.stones[0][index]! &= ~bit;
  position.stones[1][index]! &= ~bit;
  if (color !== null) position.stones[color][index]! |= bit;
}

/** The squares of a value: a point, or a rectangle by two corners, `ab:cd`. */
function squaresOf(value: string): number[] {
  const [first = '', last = first, ...rest] = value.split(':');
  if (rest.length > 0)
    throw new DataError('record-content', `expected a point or a rectangle, got ${quote(value)}`);
  const [a, b] = [parseSgfPoint(first), parseSgfPoint(last)];
  const squares: number[] = [];
  const [rowA, rowB] = [rowOf(a), rowOf(b)];
  const [columnA, columnB] = [a % SIZE, b % SIZE];
  for (let row = Math.min(rowA, rowB); row <= Math.max(rowA, rowB); row++) {
    for (let column = Math.min(columnA, columnB); column <= Math.max(columnA, columnB); column++) {
      squares.push(row * SIZE + column);
    }
  }
  return squares;
}

function readPly({ data }: SgfNode): number {
  const text = data['PLY']?.join(' ') ?? '0';
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new DataError('record-content', `expected the plies before the position, PLY, got ${quote(text)}`);
}

/** The player to move: by `PL`, else by the colour of the first move, else Black. */
function readPlayer({ data }: SgfNode, firstColor: string | undefined): 0 | 1 {
  const text = data['PL']?.join(' ') ?? firstColor ?? 'B';
  if (/^b(lack)?$/i.test(text)) return 0;
  if (/^w(hite)?$/i.test(text)) return 1;
  throw new DataError('record-content', `expected PL[B] or PL[W], got ${quote(text)}`);
}

/**
 * Notation of the position that a root sets up. With `AE`, which removes stones, stones are added to the initial
 * position, otherwise to an empty board: so a file that lists all stones means the same to programs that start from
 * either.
 *
 * @param firstColor `B` or `W`: colour of the first move, if there is one.
 * @throws DataError `record-content`; NotationError for invalid points.
 */
export function readSetup(root: SgfNode, firstColor: string | undefined): string {
  const { AB = [], AW = [], AE } = root.data;
  const isWhole = AE === undefined && AB.length + AW.length > 0;
  const position = isWhole ? emptyPosition() : parsePosition(START_TEXT);
  for (const [values, color] of [
    [AE ?? [], null],
    [AB, 0],
    [AW, 1],
  ] as const) {
    for (const value of values.filter((text) => text !== '')) {
      for (const square of squaresOf(value)) {
        if (color !== null && !isOnGrid(rowOf(square), square % SIZE)) {
          throw new DataError('record-content', `expected stones on bb to ss, got ${quote(value)}`);
        }
        setStone(position, square, color);
      }
    }
  }
  position.player = readPlayer(root, firstColor);
  position.ply = readPly(root);
  return formatPosition(position);
}

/** The properties from which `readSetup` reads the position of `text`. */
export function writeSetup(text: string): Record<string, string[]> {
  const position = parsePosition(text);
  const start = parsePosition(START_TEXT);
  const points = (has: (square: number) => boolean): string[] =>
    Array.from({ length: SIZE * SIZE }, (_, square) => square)
      .filter(has)
      .map(formatSgfPoint);
  const black = points((square) => hasStone(position, 0, square));
  const white = points((square) => hasStone(position, 1, square));
  const isTaken = (of: GessPosition, square: number): boolean =>
    hasStone(of, 0, square) || hasStone(of, 1, square);
  const emptied = points((square) => isTaken(start, square) && !isTaken(position, square));
  return {
    ...(black.length > 0 && { AB: black }),
    ...(white.length > 0 && { AW: white }),
    ...(emptied.length > 0 && { AE: emptied }),
    PL: [COLORS[position.player]],
    ...(position.ply > 0 && { PLY: [String(position.ply)] }),
  };
}
