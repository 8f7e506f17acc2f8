import { type Action, NO_ACTION, opponentOf, type Player } from '../../game.js';
import { type EncodingDescription, numberPlanes } from '../../encoding.js';
import { joinHash } from '../../random.js';
import { BOARD_ROWS, endSquare, rowOf, SIZE, startSquare } from '../gess-board.js';
import type { GessPosition } from '../gess-position.js';
import { isRepetition, recentAction } from '../gess-position.js';
import { ringColumns } from '../rings.js';
import type { GessRules } from '../gess-rules.js';

/**
 * The planes of Gess's network input, `[20, 20, 20]`: row, column, plane, planes fastest. Row 0 is the
 * viewer's own side: for White the ranks are mirrored. "Own" refers to the viewer, by default the player to
 * move.
 */
const PLANE_TEXTS = {
  ownStones: 'own stones',
  opponentStones: "the opponent's stones",
  onBoard: 'the 18 x 18 squares of the board',
  ownRings: 'all nine squares of own rings',
  opponentRings: "all nine squares of the opponent's rings",
  lastMoveStart: 'footprint of the last move before it',
  lastMoveEnd: 'footprint of the last move after it',
  moveBeforeStart: 'footprint of the move before the last, before it',
  moveBeforeEnd: 'footprint of the move before the last, after it',
  ply: 'everywhere: ply / 256, at most 1',
  truncationClock: 'everywhere: ply / ply limit (300), at most 1',
  repetition: 'everywhere: this board with this player to move occurred before in the game',
  startOffBoard: "rule, everywhere: a piece's centre may be off the board before a move",
  endOffBoard: "rule, everywhere: a piece's centre may be off the board after a move",
  edgeEnter: "rule, everywhere: edge 'enter'",
  edgeStone: "rule, everywhere: edge 'stone'",
  edgeStrict: "rule, everywhere: edge 'strict'",
  noSuicide: 'rule, everywhere: suicide is illegal',
  simpleKo: "rule, everywhere: ko 'simple'",
  superko: "rule, everywhere: ko 'superko'",
};

const PLANE = numberPlanes(PLANE_TEXTS);

/** Planes of `observe`. */
export const NUM_PLANES = Object.keys(PLANE_TEXTS).length;

/** Text description of the encoding of Gess, as implemented by `drawPlanes` and `encodeAction`. */
export const GESS_ENCODING: EncodingDescription = {
  planes: Object.values(PLANE_TEXTS),
  orientation:
    'Own means of the player to move. Row 0 is rank 1 and column 0 file a if Black is to move; for White the ranks are mirrored: row 0 is rank 20.',
  policy:
    "index = ((row * 20 + column) * 8 + direction) * 18 + distance - 1, with row and column of the piece's centre as in the planes; directions 0-7 are N NE E SE S SW W NW, N towards higher rows; distance 1-18.",
  holders: { own: [PLANE.ownStones], opponent: [PLANE.opponentStones] },
  rings: { own: PLANE.ownRings, opponent: PLANE.opponentRings },
};

// Module constants, as `observe` reads them for every square.
const OWN_STONES = PLANE.ownStones;
const OPPONENT_STONES = PLANE.opponentStones;
const PLY = PLANE.ply;
const TRUNCATION_CLOCK = PLANE.truncationClock;
const REPETITION = PLANE.repetition;

/** The ply at which plane `ply` reaches 1. */
const PLY_SCALE = 256;

/** The rule planes that are 1. */
function rulePlanes({ startOffBoard, endOffBoard, edge, suicide, ko }: GessRules): readonly number[] {
  const planes: readonly (readonly [plane: number, isOne: boolean])[] = [
    [PLANE.startOffBoard, startOffBoard],
    [PLANE.endOffBoard, endOffBoard],
    [PLANE.edgeEnter, edge === 'enter'],
    [PLANE.edgeStone, edge === 'stone'],
    [PLANE.edgeStrict, edge === 'strict'],
    [PLANE.noSuicide, suicide === 'illegal'],
    [PLANE.simpleKo, ko === 'simple'],
    [PLANE.superko, ko === 'superko'],
  ];
  return planes.filter(([, isOne]) => isOne).map(([plane]) => plane);
}

/** Rows of the template: one off the board and one on it; the 18 rows on the board are alike. */
const TEMPLATE_ROWS = 2;

/**
 * `[2, 20, P]` the planes of rows 0 and 1 that are constant in a game with these rules.
 *
 * @param numPlanes `P`: `NUM_PLANES`, or more to leave room for others after them.
 */
export function createTemplate(rules: GessRules, numPlanes: number): Float32Array {
  const template = new Float32Array(TEMPLATE_ROWS * SIZE * numPlanes);
  const ones = rulePlanes(rules);
  for (let square = 0; square < TEMPLATE_ROWS * SIZE; square++) {
    for (const plane of ones) template[square * numPlanes + plane] = 1;
    const column = square % SIZE;
    template[square * numPlanes + PLANE.onBoard] = (BOARD_ROWS[rowOf(square) + 1]! >> column) & 1;
  }
  return template;
}

/** The destination of planes. */
interface Canvas {
  readonly out: Float32Array;
  readonly offset: number;
  readonly numPlanes: number;
  /** Whether ranks are mirrored. */
  readonly mirrored: boolean;
}

/** Sets the `columns` of `row`, a row of the position, to 1. */
function drawRow(canvas: Canvas, plane: number, row: number, columns: number): void {
  const { out, numPlanes } = canvas;
  const seenRow = canvas.mirrored ? SIZE - 1 - row : row;
  const first = canvas.offset + seenRow * SIZE * numPlanes + plane;
  for (let left = columns; left !== 0; left &= left - 1) {
    out[first + (31 - Math.clz32(left & -left)) * numPlanes] = 1;
  }
}

/** Sets the nine squares around `square` to 1, clipped to the 20 x 20 squares. */
function drawFootprint(canvas: Canvas, plane: number, square: number): void {
  const row = rowOf(square);
  const columns = ((7 << (square - row * SIZE)) >> 1) & 0xfffff;
  for (let near = Math.max(0, row - 1); near <= Math.min(SIZE - 1, row + 1); near++) {
    drawRow(canvas, plane, near, columns);
  }
}

/** The planes of one move. */
interface FootprintPlanes {
  readonly start: number;
  readonly end: number;
}

const LAST_MOVE: FootprintPlanes = { start: PLANE.lastMoveStart, end: PLANE.lastMoveEnd };
const MOVE_BEFORE: FootprintPlanes = { start: PLANE.moveBeforeStart, end: PLANE.moveBeforeEnd };

function drawMove(canvas: Canvas, { start, end }: FootprintPlanes, action: Action): void {
  if (action === NO_ACTION) return;
  drawFootprint(canvas, start, startSquare(action));
  drawFootprint(canvas, end, endSquare(action));
}

function drawRings(canvas: Canvas, plane: number, own: Int32Array, other: Int32Array): void {
  for (let row = 2; row < SIZE - 2; row++) {
    const centres = ringColumns(own, other, row + 1);
    if (centres === 0) continue;
    const columns = centres | (centres << 1) | (centres >> 1);
    for (let near = row - 1; near <= row + 1; near++) drawRow(canvas, plane, near, columns);
  }
}

/** Inputs of the planes besides the position. */
export interface Scenery {
  /** `createTemplate` of the game's rules and `numPlanes`. */
  readonly template: Float32Array;
  /** Planes of a square, those of this file first; the others are set to 0. */
  readonly numPlanes: number;
  readonly plyLimit: number;
  /** The player whose view is drawn. */
  readonly viewer: Player;
}

/**
 * Writes the planes that are constant along a row: the template, the ply, the clock and the repetition. Two
 * rows are written and then copied; writing all 400 squares one by one takes twice as long.
 */
function drawScenery(
  position: GessPosition,
  { template, numPlanes, plyLimit }: Scenery,
  out: Float32Array,
  offset: number,
): void {
  const ply = Math.min(1, position.ply / PLY_SCALE);
  const clock = Math.min(1, position.ply / plyLimit);
  const repetition = isRepetition(position) ? 1 : 0;
  const rowSize = SIZE * numPlanes;
  const board = offset + rowSize;
  out.set(template, offset);
  for (let square = offset; square < board + rowSize; square += numPlanes) {
    out[square + PLY] = ply;
    out[square + TRUNCATION_CLOCK] = clock;
    out[square + REPETITION] = repetition;
  }
  // The number of copied rows doubles: 1, 2, 4, 8, 16, 18.
  for (let rows = 1; rows < SIZE - 2;) {
    const copied = Math.min(rows, SIZE - 2 - rows);
    out.copyWithin(board + rows * rowSize, board, board + copied * rowSize);
    rows += copied;
  }
  out.copyWithin(offset + (SIZE - 1) * rowSize, offset, board);
}

/** Writes all planes over `out[offset …]`. */
export function drawPlanes(
  position: GessPosition,
  scenery: Scenery,
  out: Float32Array,
  offset: number,
): void {
  drawScenery(position, scenery, out, offset);
  const { viewer, numPlanes } = scenery;
  const own = position.stones[viewer];
  const other = position.stones[opponentOf(viewer)];
  const canvas = { out, offset, numPlanes, mirrored: viewer === 1 };
  for (let row = 1; row < SIZE - 1; row++) {
    drawRow(canvas, OWN_STONES, row, own[row + 1]!);
    drawRow(canvas, OPPONENT_STONES, row, other[row + 1]!);
  }
  drawRings(canvas, PLANE.ownRings, own, other);
  drawRings(canvas, PLANE.opponentRings, other, own);
  drawMove(canvas, LAST_MOVE, recentAction(position, 1));
  drawMove(canvas, MOVE_BEFORE, recentAction(position, 2));
}

/** 53-bit hash of everything the planes show of a position, except the rules. */
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
