import type { Action, Player } from '../game.js';

/**
 * The geometry of Gess. A square is (row, column), both 0..19: row 0 is rank 1, column 0 is file a. Stones
 * stand on rows and columns 1..18; squares of the outer ring can only be centres of pieces.
 *
 * A board is stored as rows of bits, bit `c` for column `c`. Arrays of rows are padded with a row of zeros at
 * both ends, so that footprints stay inside: row `r` is at index `r + 1`.
 */
export const SIZE = 20;
/** Length of an array of rows. */
export const PADDED_ROWS = SIZE + 2;
/** Mask of all twenty columns. */
export const ALL_COLUMNS = 0xfffff;
/** Mask of the columns that stones can stand on. */
const BOARD_COLUMNS = 0x7fffe;

/** `[22]` squares that stones can stand on: `BOARD_COLUMNS` in rows 1..18, else 0. */
export const BOARD_ROWS = Int32Array.from({ length: PADDED_ROWS }, (_, index) =>
  index >= 2 && index <= 19 ? BOARD_COLUMNS : 0,
);

/** Directions clockwise from north, which is towards rank 20. */
export const DIRECTION_NAMES = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const;
/** Directions are indices of `DIRECTION_NAMES`. */
export const NUM_DIRECTIONS = 8;
/** `[8]` change of the row in one step of each direction. */
export const ROW_STEPS = Int32Array.of(1, 1, 0, -1, -1, -1, 0, 1);
/** `[8]` change of the column in one step of each direction. */
export const COLUMN_STEPS = Int32Array.of(0, 1, 1, 1, 0, -1, -1, -1);

/** The longest move of any piece: from a centre on row 1 to row 19. */
export const MAX_DISTANCE = 18;
/** The longest move of a piece without a centre stone. */
export const SHORT_DISTANCE = 3;
/** Every square, direction and distance: 57,600 actions, most of them never legal. */
export const NUM_ACTIONS = SIZE * SIZE * NUM_DIRECTIONS * MAX_DISTANCE;

/** The action that moves the piece at (`row`, `column`) by `distance`, 1..18, in `direction`, 0..7. */
export function encodeAction(row: number, column: number, direction: number, distance: number): Action {
  return ((row * SIZE + column) * NUM_DIRECTIONS + direction) * MAX_DISTANCE + distance - 1;
}

// `| 0` below rather than Math.floor lets V8 divide integers, which makes a move 1.15 times faster.

/** Whether a square is one of the grid's 18 x 18 (docs/reference/rules.md, 1.1). */
export function isOnGrid(row: number, column: number): boolean {
  return row >= 1 && row <= SIZE - 2 && column >= 1 && column <= SIZE - 2;
}

/** Row 0..19 of a square, `row * 20 + column`. */
export function rowOf(square: number): number {
  return (square / SIZE) | 0;
}

/** Start and direction of an action as one number, `square * 8 + direction`. */
export function rayOf(action: Action): number {
  return (action / MAX_DISTANCE) | 0;
}

/** The piece's centre before the move, as `row * 20 + column`. */
export function startSquare(action: Action): number {
  return rayOf(action) >> 3;
}

/** 0..7, as in `DIRECTION_NAMES`. */
export function directionOf(action: Action): number {
  return rayOf(action) & 7;
}

/** 1..18. */
export function distanceOf(action: Action): number {
  return (action % MAX_DISTANCE) + 1;
}

/** The piece's centre after the move, as `row * 20 + column`; meaningless unless `endsOnSquare`. */
export function endSquare(action: Action): number {
  const direction = directionOf(action);
  return startSquare(action) + distanceOf(action) * (ROW_STEPS[direction]! * SIZE + COLUMN_STEPS[direction]!);
}

/** Whether the piece's centre is on one of the 20 x 20 squares after the move. */
export function endsOnSquare(action: Action): boolean {
  const start = startSquare(action);
  const direction = directionOf(action);
  const row = rowOf(start) + distanceOf(action) * ROW_STEPS[direction]!;
  const column = (start % SIZE) + distanceOf(action) * COLUMN_STEPS[direction]!;
  return row >= 0 && row < SIZE && column >= 0 && column < SIZE;
}

/** A square, 0 to 399, as `row * 256 + column`: differences of rows and of columns in one subtraction. */
export function codeOfSquare(square: number): number {
  return square + rowOf(square) * (256 - SIZE);
}

/** `[57600]` `codeOfSquare` of the piece's centre after each action, which may be off the squares. */
export const END_CODES = new Int16Array(NUM_ACTIONS);
for (let action = 0; action < NUM_ACTIONS; action += MAX_DISTANCE) {
  const direction = directionOf(action);
  const step = ROW_STEPS[direction]! * 256 + COLUMN_STEPS[direction]!;
  const start = codeOfSquare(startSquare(action));
  for (let i = 0; i < MAX_DISTANCE; i++) END_CODES[action + i] = start + (i + 1) * step;
}

let targets: Uint16Array | undefined;

/**
 * `[57600]` `endSquare` of every action, modulo 400, so that moves that leave the squares have one, too. Created at the
 * first call.
 */
export function gessTargets(): Uint16Array {
  const squares = SIZE * SIZE;
  targets ??= Uint16Array.from({ length: NUM_ACTIONS }, (_, action) => {
    return (endSquare(action) + squares) % squares;
  });
  return targets;
}

/** `[57600]` every action with its ranks mirrored. A table, as searches need hundreds a position. */
const MIRRORED = new Uint16Array(NUM_ACTIONS);
for (let action = 0; action < NUM_ACTIONS; action += MAX_DISTANCE) {
  const start = startSquare(action);
  const row = rowOf(start);
  // Swapping north and south maps direction d to 4 - d, modulo 8.
  const direction = (4 - directionOf(action)) & 7;
  const mirrored = encodeAction(SIZE - 1 - row, start - row * SIZE, direction, 1);
  for (let step = 0; step < MAX_DISTANCE; step++) MIRRORED[action + step] = mirrored + step;
}

/**
 * The network's number of an action: for Black the action itself; for White with its ranks mirrored, so that
 * the mover always plays up the board. Its own inverse.
 */
export function mirrorForPlayer(player: Player, action: Action): number {
  return player === 0 ? action : MIRRORED[action]!;
}
