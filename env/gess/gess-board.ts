import type { Action, Player } from '../game.js';

/**
 * The geometry of Gess. A square is (row, column), both 0..19: row 0 is rank 1, column 0 is file a. Stones
 * stand on rows and columns 1..18; the outer ring of squares can only be the centre of a piece.
 *
 * A board is kept as rows of bits, bit `c` for column `c`. Arrays of rows have one row of zeros more at
 * both ends, so that a footprint never leaves them: row `r` is at index `r + 1`.
 */
export const SIZE = 20;
/** Length of an array of rows. */
export const PADDED_ROWS = SIZE + 2;
/** All twenty columns. */
export const ALL_COLUMNS = 0xfffff;
/** The columns that stones stand on. */
export const BOARD_COLUMNS = 0x7fffe;

/** `[22]` the squares of the board proper: `BOARD_COLUMNS` in rows 1..18, else 0. */
export const BOARD_ROWS = Int32Array.from({ length: PADDED_ROWS }, (_, index) =>
  index >= 2 && index <= 19 ? BOARD_COLUMNS : 0,
);

/** Clockwise from north, which is towards rank 20. */
export const DIRECTION_NAMES = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const;
/** Directions are numbered as in `DIRECTION_NAMES`. */
export const NUM_DIRECTIONS = 8;
/** `[8]` rows a step of each direction goes up. */
export const ROW_STEPS = Int32Array.of(1, 1, 0, -1, -1, -1, 0, 1);
/** `[8]` columns a step of each direction goes right. */
export const COLUMN_STEPS = Int32Array.of(0, 1, 1, 1, 0, -1, -1, -1);

/** The farthest that any piece goes: from a centre on row 1 to row 19. */
export const MAX_DISTANCE = 18;
/** The farthest that a piece without a centre stone goes. */
export const SHORT_DISTANCE = 3;
/** Any piece, any direction, any distance: 57,600, most of them never legal. */
export const NUM_ACTIONS = SIZE * SIZE * NUM_DIRECTIONS * MAX_DISTANCE;

/** Number of the move of the piece at (`row`, `column`) by `distance` 1..18 in `direction` 0..7. */
export function encodeAction(row: number, column: number, direction: number, distance: number): Action {
  return ((row * SIZE + column) * NUM_DIRECTIONS + direction) * MAX_DISTANCE + distance - 1;
}

// `| 0` below, not Math.floor: so V8 divides integers, which makes a move 1.15 times faster.

/** Row 0..19 of a square, `row * 20 + column`. */
export function rowOf(square: number): number {
  return (square / SIZE) | 0;
}

/** Start and direction of an action as one number, `square * 8 + direction`. */
export function rayOf(action: Action): number {
  return (action / MAX_DISTANCE) | 0;
}

/** Where the piece stands, as `row * 20 + column`. */
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

/** Where the piece goes, as `row * 20 + column`, if that is among the twenty rows and columns. */
export function endSquare(action: Action): number {
  const direction = directionOf(action);
  return startSquare(action) + distanceOf(action) * (ROW_STEPS[direction]! * SIZE + COLUMN_STEPS[direction]!);
}

/** Whether the piece's centre is among the twenty rows and columns after the move. */
export function endsOnSquare(action: Action): boolean {
  const start = startSquare(action);
  const direction = directionOf(action);
  const row = rowOf(start) + distanceOf(action) * ROW_STEPS[direction]!;
  const column = (start % SIZE) + distanceOf(action) * COLUMN_STEPS[direction]!;
  return row >= 0 && row < SIZE && column >= 0 && column < SIZE;
}

let targets: Uint16Array | undefined;

/** `[57600]` where every action goes, as `row * 20 + column`; 0 where that is no square. Made at the first call. */
export function gessTargets(): Uint16Array {
  targets ??= Uint16Array.from({ length: NUM_ACTIONS }, (_, action) =>
    endsOnSquare(action) ? endSquare(action) : 0,
  );
  return targets;
}

function mirrorAction(action: Action): Action {
  const start = startSquare(action);
  const row = rowOf(start);
  // North and south change places: direction 4 - d, counted round the compass.
  const direction = (4 - directionOf(action)) & 7;
  return encodeAction(SIZE - 1 - row, start - row * SIZE, direction, distanceOf(action));
}

/** `[57600]` every action with its ranks mirrored: a table, since searches ask for hundreds a position. */
const MIRRORED = Uint16Array.from({ length: NUM_ACTIONS }, (_, action) => mirrorAction(action));

/**
 * The action as the network numbers it. Black's are as they are; for White the ranks are mirrored, so that
 * the mover always plays up the board. Its own inverse.
 */
export function mirrorForPlayer(player: Player, action: Action): number {
  return player === 0 ? action : MIRRORED[action]!;
}
