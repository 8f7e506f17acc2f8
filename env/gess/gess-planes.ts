import { type Action, NO_ACTION, type Player } from '../game.js';
import { joinHash } from './board-hash.js';
import { BOARD_ROWS, endSquare, rowOf, SIZE, startSquare } from './gess-board.js';
import type { GessPosition } from './gess-position.js';
import { isRepetition, recentAction } from './gess-position.js';
import { ringColumns } from './rings.js';
import type { GessRules } from './gess-rules.js';

/**
 * The network input of Gess, `[20, 20, 20]`: row, column, plane, planes fastest. Row 0 is the viewer's own
 * side: for White the ranks are mirrored. "Own" is the viewer, who is to move unless said otherwise.
 *
 * |plane|1 where|
 * |---|---|
 * |0|own stones|
 * |1|the opponent's stones|
 * |2|the 18 x 18 squares of the board|
 * |3|all nine squares of own rings|
 * |4|all nine squares of the opponent's rings|
 * |5, 6|footprint of the last move before and after it|
 * |7, 8|the same of the move before that|
 * |9|everywhere: ply / 256, at most 1|
 * |10|everywhere: ply / plyLimit, at most 1|
 * |11|everywhere, if this board with this player to move occurred before in the game|
 * |12|everywhere, if a piece's centre may be off the board before a move|
 * |13|everywhere, if it may be so after a move|
 * |14, 15, 16|everywhere, if the edge rule is `enter`, `stone`, `strict`|
 * |17|everywhere, if suicide is illegal|
 * |18, 19|everywhere, if the ko rule is `simple`, `superko`|
 */
export const NUM_PLANES = 20;

const OWN_STONES = 0;
const OPPONENT_STONES = 1;
const ON_BOARD = 2;
const OWN_RINGS = 3;
const OPPONENT_RINGS = 4;
const LAST_MOVE = 5;
const MOVE_BEFORE = 7;
const PLY = 9;
const TRUNCATION_CLOCK = 10;
const REPETITION = 11;
const FIRST_RULE = 12;

/** Plies at which plane 9 is full. */
const PLY_SCALE = 256;

/** Values of planes 12 to 19. */
function rulePlanes(rules: GessRules): readonly number[] {
  const { startOffBoard, endOffBoard, edge, suicide, ko } = rules;
  return [
    startOffBoard,
    endOffBoard,
    edge === 'enter',
    edge === 'stone',
    edge === 'strict',
    suicide === 'illegal',
    ko === 'simple',
    ko === 'superko',
  ].map(Number);
}

/** Numbers of one row. */
const ROW_SIZE = SIZE * NUM_PLANES;
/** Rows of the template: one off the board and one of the 18 that are on it, in which all others are alike. */
const TEMPLATE_ROWS = 2;

/** `[2, 20, 20]` of rows 0 and 1 the planes that no position of a game with these rules changes. */
export function createTemplate(rules: GessRules): Float32Array {
  const template = new Float32Array(TEMPLATE_ROWS * ROW_SIZE);
  const values = rulePlanes(rules);
  for (let square = 0; square < TEMPLATE_ROWS * SIZE; square++) {
    template.set(values, square * NUM_PLANES + FIRST_RULE);
    const column = square % SIZE;
    template[square * NUM_PLANES + ON_BOARD] = (BOARD_ROWS[rowOf(square) + 1]! >> column) & 1;
  }
  return template;
}

/** What the planes are written to, and how. */
interface Canvas {
  readonly out: Float32Array;
  readonly offset: number;
  /** Whether ranks are mirrored. */
  readonly mirrored: boolean;
}

/** Ones at the `columns` of `row`, a row of the position. */
function drawRow(canvas: Canvas, plane: number, row: number, columns: number): void {
  const { out } = canvas;
  const seenRow = canvas.mirrored ? SIZE - 1 - row : row;
  const first = canvas.offset + seenRow * SIZE * NUM_PLANES + plane;
  for (let left = columns; left !== 0; left &= left - 1) {
    out[first + (31 - Math.clz32(left & -left)) * NUM_PLANES] = 1;
  }
}

/** Ones at the nine squares around `square`, so far as there are such. */
function drawFootprint(canvas: Canvas, plane: number, square: number): void {
  const row = rowOf(square);
  const columns = ((7 << (square - row * SIZE)) >> 1) & 0xfffff;
  for (let near = Math.max(0, row - 1); near <= Math.min(SIZE - 1, row + 1); near++) {
    drawRow(canvas, plane, near, columns);
  }
}

function drawMove(canvas: Canvas, plane: number, action: Action): void {
  if (action === NO_ACTION) return;
  drawFootprint(canvas, plane, startSquare(action));
  drawFootprint(canvas, plane + 1, endSquare(action));
}

function drawRings(canvas: Canvas, plane: number, own: Int32Array, other: Int32Array): void {
  for (let row = 2; row < SIZE - 2; row++) {
    const centres = ringColumns(own, other, row + 1);
    if (centres === 0) continue;
    const columns = centres | (centres << 1) | (centres >> 1);
    for (let near = row - 1; near <= row + 1; near++) drawRow(canvas, plane, near, columns);
  }
}

/** What the planes show besides the position. */
export interface Scenery {
  /** That of the game's rules. */
  readonly template: Float32Array;
  readonly plyLimit: number;
  /** Whose view it is. */
  readonly viewer: Player;
}

/**
 * Writes all that is the same for every square of a row: what no position changes, the ply, the clock and the
 * repetition. Two rows are written and copied, as writing numbers one by one to 400 squares takes twice as long.
 */
function drawScenery(
  position: GessPosition,
  { template, plyLimit }: Scenery,
  out: Float32Array,
  offset: number,
): void {
  const ply = Math.min(1, position.ply / PLY_SCALE);
  const clock = Math.min(1, position.ply / plyLimit);
  const repetition = isRepetition(position) ? 1 : 0;
  const board = offset + ROW_SIZE;
  out.set(template, offset);
  for (let square = offset; square < board + ROW_SIZE; square += NUM_PLANES) {
    out[square + PLY] = ply;
    out[square + TRUNCATION_CLOCK] = clock;
    out[square + REPETITION] = repetition;
  }
  // The rows of the board that are written double: 1, 2, 4, 8, 16, 18.
  for (let rows = 1; rows < SIZE - 2;) {
    const copied = Math.min(rows, SIZE - 2 - rows);
    out.copyWithin(board + rows * ROW_SIZE, board, board + copied * ROW_SIZE);
    rows += copied;
  }
  out.copyWithin(offset + (SIZE - 1) * ROW_SIZE, offset, board);
}

/** Writes all planes over `out[offset …]`. */
export function drawPlanes(
  position: GessPosition,
  scenery: Scenery,
  out: Float32Array,
  offset: number,
): void {
  drawScenery(position, scenery, out, offset);
  const { viewer } = scenery;
  const own = position.stones[viewer];
  const other = position.stones[viewer === 0 ? 1 : 0];
  const canvas = { out, offset, mirrored: viewer === 1 };
  for (let row = 1; row < SIZE - 1; row++) {
    drawRow(canvas, OWN_STONES, row, own[row + 1]!);
    drawRow(canvas, OPPONENT_STONES, row, other[row + 1]!);
  }
  drawRings(canvas, OWN_RINGS, own, other);
  drawRings(canvas, OPPONENT_RINGS, other, own);
  drawMove(canvas, LAST_MOVE, recentAction(position, 1));
  drawMove(canvas, MOVE_BEFORE, recentAction(position, 2));
}

/** 53 bits of all that the planes show of a position; games with other rules are not told apart. */
export function planesHash(position: GessPosition): number {
  const words = [recentAction(position, 1), recentAction(position, 2), position.ply];
  let low = position.hashLow;
  let high = position.hashHigh ^ (isRepetition(position) ? 0x68e31da4 : 0);
  for (const word of words) {
    low = Math.imul(low ^ word, 0x85ebca6b);
    low ^= low >>> 15;
    high = Math.imul(high ^ word, 0xc2b2ae35);
    high ^= high >>> 13;
  }
  return joinHash(low, high);
}
