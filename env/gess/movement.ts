import {
  ALL_COLUMNS,
  BOARD_ROWS,
  COLUMN_STEPS,
  MAX_DISTANCE,
  NUM_DIRECTIONS,
  PADDED_ROWS,
  ROW_STEPS,
  rowOf,
  SIZE,
} from './gess-board.js';
import type { GessRules } from './gess-rules.js';

/**
 * What the rules' settings mean for the generators (docs/rules.md, 2.6, 2.7), as masks, so that no rule costs a
 * branch.
 *
 * A slide ends (2.3) at a square when the part of the footprint that this step brought is not free. The squares
 * that earlier steps brought were, so this holds for the first steps too, which still cover the squares
 * that the piece started from. Going up, that part is three squares side by side: one bit of `walls.rows`.
 * Going right it is three squares above each other: one bit of `walls.columns`. On a diagonal it is both.
 */
export interface Movement {
  /** `[22]` where a piece may start. */
  readonly starts: Int32Array;
  /** `[22]` where a piece may end. */
  readonly ends: Int32Array;
  /** `[22]` where rows count as taken for going up or down, besides those with stones. */
  readonly rowWalls: Int32Array;
  /** `[22]` where columns count as taken for going left or right, besides those with stones. */
  readonly columnWalls: Int32Array;
  /** `[400 * 8]` how far a centre can go from each square in each direction before it may not end there. */
  readonly room: Uint8Array;
  readonly suicideIsIllegal: boolean;
  readonly ko: GessRules['ko'];
  /** Whether masks say it all but for the ko rule, so that moves can be counted without listing them. */
  readonly isCountable: boolean;
}

/** The first and last two rows or columns, where a footprint is partly off the board. */
function isNearEdge(index: number): boolean {
  return index <= 2 || index >= SIZE - 1;
}

const EDGE_COLUMNS = 1 | (1 << (SIZE - 1));
const NEAR_EDGE_COLUMNS = EDGE_COLUMNS | (EDGE_COLUMNS << 1) | (EDGE_COLUMNS >> 1);

function rowMasks(mask: (index: number) => number): Int32Array {
  return Int32Array.from({ length: PADDED_ROWS }, (_, index) =>
    index < 1 || index > SIZE ? 0 : mask(index),
  );
}

/** From squares that are not among `longStarts`, one step at most. */
function measureRoom(ends: Int32Array, longStarts: Int32Array): Uint8Array {
  const has = (rows: Int32Array, row: number, column: number): boolean =>
    column >= 0 && (((rows[row + 1] ?? 0) >>> column) & 1) === 1;
  return Uint8Array.from({ length: SIZE * SIZE * NUM_DIRECTIONS }, (_, ray) => {
    const square = Math.floor(ray / NUM_DIRECTIONS);
    const direction = ray % NUM_DIRECTIONS;
    let row = rowOf(square);
    let column = square % SIZE;
    const most = has(longStarts, row, column) ? MAX_DISTANCE : 1;
    for (let distance = 0; distance < most; distance++) {
      row += ROW_STEPS[direction]!;
      column += COLUMN_STEPS[direction]!;
      if (!has(ends, row, column)) return distance;
    }
    return most;
  });
}

/**
 * `enter` and `stone` come to the same: a piece goes only where it has a stone, and that stone is pushed
 * off exactly when the footprint goes further off on that side. So their walls are the squares just off
 * the board, which only a step towards them meets. `strict` ends every move near an edge, along it too, and so after one step
 * when it comes from off the board.
 */
export function createMovement(rules: GessRules): Movement {
  const squares = (offBoard: boolean): Int32Array => (offBoard ? rowMasks(() => ALL_COLUMNS) : BOARD_ROWS);
  const { edge } = rules;
  return {
    starts: squares(rules.startOffBoard),
    ends: squares(rules.endOffBoard),
    rowWalls: rowMasks((index) => {
      if (edge === 'free') return 0;
      if (index === 1 || index === SIZE) return ALL_COLUMNS;
      return edge === 'strict' ? NEAR_EDGE_COLUMNS : 0;
    }),
    columnWalls: rowMasks((index) => {
      if (edge === 'free') return 0;
      return edge === 'strict' && isNearEdge(index) ? ALL_COLUMNS : EDGE_COLUMNS;
    }),
    room: measureRoom(squares(rules.endOffBoard), squares(edge !== 'strict')),
    suicideIsIllegal: rules.suicide === 'illegal',
    ko: rules.ko,
    isCountable: edge !== 'strict' && rules.suicide === 'loss',
  };
}

/** Rows that the generators work on, `[22]` each; filled anew by every call of `prepareMasks`. */
export interface MoveMasks {
  /** Centres of the mover's pieces. */
  readonly pieces: Int32Array;
  /** Squares that are taken, or whose left or right neighbour is. */
  readonly rows: Int32Array;
  /** Squares that are taken, or whose upper or lower neighbour is. */
  readonly columns: Int32Array;
}

/** Masks that are not filled in yet. */
export function createMasks(): MoveMasks {
  return {
    pieces: new Int32Array(PADDED_ROWS),
    rows: new Int32Array(PADDED_ROWS),
    columns: new Int32Array(PADDED_ROWS),
  };
}

/**
 * A piece is where `own` stones lie within a step and none of the `other`'s does (docs/rules.md, 2.1).
 */
export function prepareMasks(masks: MoveMasks, movement: Movement, own: Int32Array, other: Int32Array): void {
  const { pieces, rows, columns } = masks;
  const { starts, rowWalls, columnWalls } = movement;
  let ownBelow = 0;
  let otherBelow = 0;
  let ownHere = own[1]!;
  let otherHere = other[1]!;
  for (let index = 1; index <= SIZE; index++) {
    const ownAbove = own[index + 1]!;
    const otherAbove = other[index + 1]!;
    const ownColumns = ownBelow | ownHere | ownAbove;
    const otherColumns = otherBelow | otherHere | otherAbove;
    const ownNear = ownColumns | (ownColumns << 1) | (ownColumns >> 1);
    const otherNear = otherColumns | (otherColumns << 1) | (otherColumns >> 1);
    const taken = ownHere | otherHere;
    pieces[index] = ownNear & ~otherNear & starts[index]!;
    rows[index] = taken | (taken << 1) | (taken >> 1) | rowWalls[index]!;
    columns[index] = ownColumns | otherColumns | columnWalls[index]!;
    ownBelow = ownHere;
    otherBelow = otherHere;
    ownHere = ownAbove;
    otherHere = otherAbove;
  }
}
