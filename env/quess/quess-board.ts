import type { Action, Player } from '../game.js';

/**
 * The geometry of Quess. A square is `row * 6 + column`: row 0 is row F, at the bottom, and row 5 row A;
 * column 0 is column 1. So light's corner F1 is square 0 and dark's corner A6 square 35.
 */
export const SIZE = 6;
/** Squares of the board. */
export const NUM_SQUARES = SIZE * SIZE;

/** The content of a square: 0 empty, `player * 3 + shape` a piece. */
export type Piece = number;
/** The `Piece` of an empty square. */
export const EMPTY = 0;
/** Moves one square along a row or a column (Q2.3). */
export const TRIANGLE = 1;
/** Moves as a chess knight (Q2.4). */
export const CIRCLE = 2;
/** Moves as a chess rook (Q2.5). */
export const SQUARE = 3;
/** Shapes are numbered from 1. */
export const NUM_SHAPES = 3;
/** The shape of a piece, 1 to 3; 0 for an empty square. */
export function shapeOf(piece: Piece): number {
  return piece > NUM_SHAPES ? piece - NUM_SHAPES : piece;
}

/** The owner of a piece. */
export function ownerOf(piece: Piece): Player {
  return piece > NUM_SHAPES ? 1 : 0;
}

/** Whether the piece `mover` may go to a square with `there`: empty, or an enemy of another shape (Q2.2). */
export function mayTake(mover: Piece, there: Piece): boolean {
  if (there === EMPTY) return true;
  return ownerOf(mover) !== ownerOf(there) && shapeOf(mover) !== shapeOf(there);
}

/** `[7]` letters of the pieces, the empty square first. */
export const PIECE_LETTERS = '.TCStcs';

/** Moves of a square: four directions by five distances, then the eight hops of a circle. */
export const NUM_DIRECTIONS = 4;
/** The longest move of a square. */
export const MAX_DISTANCE = SIZE - 1;
/** Index of the first hop among the moves from a square of the board. */
export const FIRST_HOP = NUM_DIRECTIONS * MAX_DISTANCE;
/** Number of a circle's moves. */
const NUM_HOPS = 8;
/** Actions that start from a square of the board. */
export const MOVES_PER_SQUARE = FIRST_HOP + NUM_HOPS;
/** Every square and move: 1,008 actions. */
export const NUM_ACTIONS = NUM_SQUARES * MOVES_PER_SQUARE;

/** In `TARGETS`, marks a move that leaves the board. */
export const OFF_BOARD = -1;

/** `[4]` rows up and columns right of a step north (towards row A), east, south and west. */
const STEPS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;
/** `[8]` the same for the hops, clockwise from north. */
const HOPS = [
  [2, 1],
  [1, 2],
  [-1, 2],
  [-2, 1],
  [-2, -1],
  [-1, -2],
  [1, -2],
  [2, -1],
] as const;

/** `[28]` rows up and columns right of each move of a square. */
const OFFSETS: readonly (readonly [rows: number, columns: number])[] = [
  ...STEPS.flatMap(([rows, columns]) =>
    Array.from({ length: MAX_DISTANCE }, (_, i) => [rows * (i + 1), columns * (i + 1)] as const),
  ),
  ...HOPS,
];

function targetOf(action: Action): number {
  const square = Math.floor(action / MOVES_PER_SQUARE);
  const [rows, columns] = OFFSETS[action % MOVES_PER_SQUARE]!;
  const row = Math.floor(square / SIZE) + rows;
  const column = (square % SIZE) + columns;
  const isOnBoard = row >= 0 && row < SIZE && column >= 0 && column < SIZE;
  return isOnBoard ? row * SIZE + column : OFF_BOARD;
}

/**
 * `[1008]` the square that each action goes to, or `OFF_BOARD`. An action is `(row * 6 + column) * 28 +
 * plane`, with the row and column of its start; planes 0 to 19 are `direction * 5 + distance - 1` with
 * directions N E S W and distances 1 to 5, planes 20 to 27 the hops, clockwise from two rows up and one
 * column right.
 */
export const TARGETS = Int8Array.from({ length: NUM_ACTIONS }, (_, action) => targetOf(action));

/** The square that `action` starts from. */
export function startSquare(action: Action): number {
  return Math.floor(action / MOVES_PER_SQUARE);
}

/** The action from one square to another; undefined if no piece moves that way. */
export function actionBetween(start: number, end: number): Action | undefined {
  const first = start * MOVES_PER_SQUARE;
  const plane = TARGETS.subarray(first, first + MOVES_PER_SQUARE).indexOf(end);
  return plane === -1 ? undefined : first + plane;
}

/** `F1` for square 0. */
export function formatSquare(square: number): string {
  return `${'FEDCBA'.charAt(Math.floor(square / SIZE))}${(square % SIZE) + 1}`;
}

/** The square with this name, in either case; undefined if there is none. */
export function parseSquare(text: string): number | undefined {
  if (!/^[A-F][1-6]$/i.test(text)) return undefined;
  return 'FEDCBA'.indexOf(text.charAt(0).toUpperCase()) * SIZE + Number(text.charAt(1)) - 1;
}

/** Sets of squares are bits in two words: 0..17 in the low one, 18..35 in the high one. */
export const WORD_SQUARES = 18;
/** Light's starting zone F1 F2 F3 E1 E2 D1, all of it in the low word. */
export const LIGHT_ZONE = 0b000001_000011_000111;
/** Dark's starting zone A6 A5 A4 B6 B5 C6, all of it in the high word. */
export const DARK_ZONE = 0b111000_110000_100000;

/** Whether `square` is in the starting zone of `player`. */
export function isInZone(player: Player, square: number): boolean {
  if (player === 0) return square < WORD_SQUARES && ((LIGHT_ZONE >> square) & 1) === 1;
  return square >= WORD_SQUARES && ((DARK_ZONE >> (square - WORD_SQUARES)) & 1) === 1;
}

/** A square from the view of `player`: dark's board is rotated by half a turn, which swaps F1 and A6. */
export function seenSquare(player: Player, square: number): number {
  return player === 0 ? square : NUM_SQUARES - 1 - square;
}

function turnAction(action: Action): Action {
  const square = NUM_SQUARES - 1 - startSquare(action);
  const plane = action % MOVES_PER_SQUARE;
  // Half a turn adds two to the four directions, and four to the eight hops.
  const turned =
    plane < FIRST_HOP ? (plane + 2 * MAX_DISTANCE) % FIRST_HOP : FIRST_HOP + ((plane - FIRST_HOP) ^ 4);
  return square * MOVES_PER_SQUARE + turned;
}

/** `[1008]` every action rotated by half a turn. */
const TURNED = Uint16Array.from({ length: NUM_ACTIONS }, (_, action) => turnAction(action));

/** The network's number of an action, from the view of `player`. Its own inverse. */
export function turnForPlayer(player: Player, action: Action): number {
  return player === 0 ? action : TURNED[action]!;
}
