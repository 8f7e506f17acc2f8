import type { GessRules } from '../../../env/gess/gess-rules.js';
import { boardText, stonesOf } from './gess-boards.js';

/**
 * Gess once more, slow and literal: a board is a list of squares, and every step of every move is walked. Written
 * from docs/reference/rules.md, whose numbers stand beside the code, to be compared with the fast engine; the two share
 * the type of the settings and nothing else.
 *
 * A square is `22 * file + rank`, files and ranks 1 to 20 and, in footprints, 0 to 21. So steps are numbers
 * too, and sums of squares and steps are squares.
 */
type Square = number;
type Color = 'b' | 'w';

const SQUARES = 22 * 22;
const EMPTY = 0;
const STONES = { b: 1, w: 2 } as const;

/** The content of all squares, also as a text: equal boards have equal texts. */
class Board {
  /** `[484]` by square: `EMPTY` or one of `STONES`. */
  private readonly contents: Uint8Array;
  private readonly lists: Partial<Record<Color, readonly Square[]>> = {};
  private text: string | undefined;

  constructor(contents: Uint8Array) {
    this.contents = contents;
  }

  has(square: Square, color?: Color): boolean {
    const content = this.contents[square]!;
    return color === undefined ? content !== EMPTY : content === STONES[color];
  }

  /** The squares of a side's stones, by file and rank. */
  stones(color: Color): readonly Square[] {
    let list = this.lists[color];
    if (list === undefined) {
      const { contents } = this;
      const stone = STONES[color];
      const squares: Square[] = [];
      for (let square = 0; square < SQUARES; square++) {
        if (contents[square] === stone) squares.push(square);
      }
      list = squares;
      this.lists[color] = list;
    }
    return list;
  }

  /** The content of all squares, to change. */
  copy(): Uint8Array {
    return this.contents.slice();
  }

  toString(): string {
    this.text ??= Buffer.from(this.contents).toString('latin1');
    return this.text;
  }
}

/** A board with the player to move and all positions before. */
export interface ReferencePosition {
  readonly board: Board;
  readonly player: Color;
  readonly ply: number;
  readonly before: ReferencePosition | undefined;
}

/** A move with the position it leads to. */
export interface ReferenceMove {
  /** `f6-f7`. */
  readonly text: string;
  /** By the numbering of docs/reference/formats.md. */
  readonly action: number;
  readonly after: ReferencePosition;
}

/** N NE E SE S SW W NW, the order of docs/reference/formats.md. */
const STEPS: readonly number[] = [1, 23, 22, 21, -1, -23, -22, -21];

function fileOf(square: Square): number {
  return Math.floor(square / 22);
}

function rankOf(square: Square): number {
  return square % 22;
}

function isWithin(square: Square, lowest: number, highest: number): boolean {
  const [file, rank] = [fileOf(square), rankOf(square)];
  return file >= lowest && file <= highest && rank >= lowest && rank <= highest;
}

/** 1.1: whether stones can stand on the square. */
function isOnGrid(square: Square): boolean {
  return isWithin(square, 2, 19);
}

/** 2.1: the nine squares around and under each possible centre. */
const FOOTPRINTS: readonly (readonly Square[])[] = Array.from({ length: SQUARES }, (_, center) =>
  [0, ...STEPS].map((step) => center + step),
);

function footprint(center: Square): readonly Square[] {
  return FOOTPRINTS[center]!;
}

function nameOf(square: Square): string {
  return `${'abcdefghijklmnopqrst'.charAt(fileOf(square) - 1)}${rankOf(square)}`;
}

function opponentOf(color: Color): Color {
  return color === 'b' ? 'w' : 'b';
}

/** Parses a position's text (docs/reference/formats.md), without history. */
export function readReference(text: string): ReferencePosition {
  const [, player, ply] = text.split(' ');
  const contents = new Uint8Array(SQUARES);
  for (const { color, square } of stonesOf(text)) {
    contents[22 * ((square % 20) + 1) + Math.floor(square / 20) + 1] = STONES[color];
  }
  return {
    board: new Board(contents),
    player: player === 'w' ? 'w' : 'b',
    ply: Number(ply),
    before: undefined,
  };
}

/** The position's text. */
export function writeReference({ board, player, ply }: ReferencePosition): string {
  const stones = (['b', 'w'] as const).flatMap((color) =>
    board.stones(color).map((square) => ({ color, square: (rankOf(square) - 1) * 20 + fileOf(square) - 1 })),
  );
  return `${boardText(stones)} ${player} ${ply}`;
}

/** `[81]` the board as packed positions have it (docs/reference/formats.md). */
export function packReference({ board }: ReferencePosition): Uint8Array {
  const bytes = new Uint8Array(81);
  for (const [color, first] of [
    ['b', 0],
    ['w', 324],
  ] as const) {
    for (const square of board.stones(color)) {
      const bit = first + (rankOf(square) - 2) * 18 + fileOf(square) - 2;
      bytes[bit >> 3]! |= 1 << (bit & 7);
    }
  }
  return bytes;
}

/** 3.1: centres of the rings. Stones are on the grid, so a ring's nine squares are. */
function* ringsOf(board: Board, color: Color): Generator<Square> {
  for (const southWest of board.stones(color)) {
    const center = southWest + 23;
    if (!board.has(center) && STEPS.every((step) => board.has(center + step, color))) yield center;
  }
}

function hasRing(board: Board, color: Color): boolean {
  return ringsOf(board, color).next().done === false;
}

/** Names of the centres of a side's rings, by rank and file. */
export function referenceRings({ board }: ReferencePosition, color: Color): string[] {
  return [...ringsOf(board, color)]
    .sort((a, b) => rankOf(a) - rankOf(b) || fileOf(a) - fileOf(b))
    .map(nameOf);
}

/** Number of squares by which a footprint is off the grid at its left, lower, right and upper side. */
function overhang(center: Square): number[] {
  const [file, rank] = [fileOf(center), rankOf(center)];
  return [2 - (file - 1), 2 - (rank - 1), file + 1 - 19, rank + 1 - 19].map((squares) =>
    Math.max(0, squares),
  );
}

/** 2.6: whether the edge rule ends the move after the step that took the piece's centre to `center`. */
function endsAtEdge(edge: GessRules['edge'], piece: readonly Square[], way: Way, center: Square): boolean {
  switch (edge) {
    case 'free':
      return false;
    case 'strict':
      return !footprint(center).every(isOnGrid);
    case 'stone':
      return piece.some((square) => !isOnGrid(square + center - way.start));
    case 'enter': {
      const before = overhang(center - way.step);
      return overhang(center).some((squares, side) => squares > before[side]!);
    }
  }
}

/** The start and direction of a move. */
interface Way {
  readonly start: Square;
  readonly step: number;
}

/** 2.2, 2.3, 2.6, 2.7: the number of steps that the piece can go. */
function farthest(board: Board, rules: GessRules, way: Way): number {
  const inside = footprint(way.start);
  const piece = inside.filter((square) => board.has(square));
  const reach = board.has(way.start) ? Infinity : 3;
  for (let distance = 1; distance <= reach; distance++) {
    const center = way.start + distance * way.step;
    const mayBeThere = rules.endOffBoard ? isWithin(center, 1, 20) : isOnGrid(center);
    if (!mayBeThere) return distance - 1;
    const meets = footprint(center).some((square) => board.has(square) && !inside.includes(square));
    if (meets || endsAtEdge(rules.edge, piece, way, center)) return distance;
  }
  return reach;
}

/** 2.3, 2.4: the position after the piece at `start` went to `end`, legal or not. */
function play(position: ReferencePosition, start: Square, end: Square): ReferencePosition {
  const { board, player } = position;
  const contents = board.copy();
  for (const square of footprint(start)) contents[square] = EMPTY;
  for (const square of footprint(end)) contents[square] = EMPTY;
  for (const square of footprint(start)) {
    const to = square + end - start;
    if (board.has(square, player) && isOnGrid(to)) contents[to] = STONES[player];
  }
  return {
    board: new Board(contents),
    player: opponentOf(player),
    ply: position.ply + 1,
    before: position,
  };
}

/** 4.5, 4.6: whether the rule against repetition bars the board of `after`. */
function isBarred(rules: GessRules, after: ReferencePosition): boolean {
  switch (rules.ko) {
    case 'none':
      return false;
    case 'simple':
      return after.before?.before?.board.toString() === after.board.toString();
    case 'superko':
      for (let earlier = after.before; earlier !== undefined; earlier = earlier.before) {
        if (earlier.board.toString() === after.board.toString()) return true;
      }
      return false;
  }
}

/** 2.1: the centres of the pieces of `color`. */
function* pieces(board: Board, color: Color): Generator<Square> {
  const seen = new Set<Square>();
  for (const stone of board.stones(color)) {
    for (const center of footprint(stone)) {
      if (seen.has(center)) continue;
      seen.add(center);
      if (!footprint(center).some((square) => board.has(square, opponentOf(color)))) yield center;
    }
  }
}

/** 2.1 to 2.8: the moves that only the rule against repetition may forbid, if the game is not over. */
function* candidates(position: ReferencePosition, rules: GessRules): Generator<ReferenceMove> {
  const { board, player } = position;
  for (const start of pieces(board, player)) {
    if (!rules.startOffBoard && !isOnGrid(start)) continue;
    for (const [direction, step] of STEPS.entries()) {
      if (!board.has(start + step, player)) continue;
      const reach = farthest(board, rules, { start, step });
      for (let distance = 1; distance <= reach; distance++) {
        const end = start + distance * step;
        const after = play(position, start, end);
        if (rules.suicide === 'illegal' && !hasRing(after.board, player)) continue;
        const square = (rankOf(start) - 1) * 20 + fileOf(start) - 1;
        yield {
          text: `${nameOf(start)}-${nameOf(end)}`,
          action: (square * 8 + direction) * 18 + distance - 1,
          after,
        };
      }
    }
  }
}

function hasLegalMove(position: ReferencePosition, rules: GessRules): boolean {
  for (const { after } of candidates(position, rules)) {
    if (!isBarred(rules, after)) return true;
  }
  return false;
}

/** 3.2, 3.3, 3.6: Black's result, or null. The player not to move made the last move (3.5). */
export function referenceOutcome(position: ReferencePosition, rules: GessRules): -1 | 1 | null {
  const { board, player } = position;
  const winner = (color: Color): -1 | 1 => (color === 'b' ? 1 : -1);
  if (!hasRing(board, opponentOf(player))) return winner(player);
  if (!hasRing(board, player)) return winner(opponentOf(player));
  return hasLegalMove(position, rules) ? null : winner(opponentOf(player));
}

/** The legal moves and those that only 4.5 and 4.6 forbid, both empty when the game is over. */
export function referenceMoves(
  position: ReferencePosition,
  rules: GessRules,
): { readonly legal: ReferenceMove[]; readonly barred: ReferenceMove[] } {
  const moves = { legal: [] as ReferenceMove[], barred: [] as ReferenceMove[] };
  if (!hasRing(position.board, 'b') || !hasRing(position.board, 'w')) return moves;
  for (const move of candidates(position, rules)) {
    moves[isBarred(rules, move.after) ? 'barred' : 'legal'].push(move);
  }
  return moves;
}
