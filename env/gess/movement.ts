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
 * The settings of the rules as masks for the move generators (docs/reference/rules.md, 2.6, 2.7), so that no rule costs
 * a branch.
 *
 * A slide ends (2.3) when the squares that the footprint newly covers are not all free. Squares covered by
 * earlier steps were free, so this also holds for the first steps, which still cover the start. Going up, the
 * new squares are three side by side: one bit of a row mask. Going right they are three above each other: one
 * bit of a column mask. On a diagonal they are both.
 */
export interface Movement {
  /** `[22]` squares where a piece may start. */
  readonly starts: Int32Array;
  /** `[22]` squares where a piece may end. */
  readonly ends: Int32Array;
  /** `[22]` squares treated as taken for moves up or down, besides those with stones. */
  readonly rowWalls: Int32Array;
  /** `[22]` squares treated as taken for moves left or right, besides those with stones. */
  readonly columnWalls: Int32Array;
  /** `[400 * 8]` longest distance from each square in each direction at which a move may still end. */
  readonly room: Uint8Array;
  readonly suicideIsIllegal: boolean;
  readonly ko: GessRules['ko'];
  /** Whether the masks express all rules but ko, so that moves can be counted without listing them. */
  readonly isCountable: boolean;
}

/** Whether a footprint centred on this row or column, the first or last two, is partly off the board. */
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

/** Measures `room`; from squares outside `longStarts` at most one step. */
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

/** `room` by the rules that it depends on; measuring it takes most of the time in which a game is created. */
const measuredRooms = new Map<string, Uint8Array>();

function roomOf({ endOffBoard, edge }: GessRules): Uint8Array {
  const key = JSON.stringify([endOffBoard, edge === 'strict']);
  const room = measuredRooms.get(key) ?? measureRoom(squaresOf(endOffBoard), squaresOf(edge !== 'strict'));
  measuredRooms.set(key, room);
  return room;
}

/** All squares, or those of the board. */
function squaresOf(offBoard: boolean): Int32Array {
  return offBoard ? rowMasks(() => ALL_COLUMNS) : BOARD_ROWS;
}

/**
 * Precomputes the masks. `enter` and `stone` are equivalent: a piece moves only towards one of its stones,
 * and that stone is pushed off exactly when the footprint goes further off on that side. Their walls are the
 * squares just off the board, which only a step towards them meets. `strict` ends every move near an edge,
 * also along it, and so after one step when it starts off the board.
 */
export function createMovement(rules: GessRules): Movement {
  const { edge } = rules;
  return {
    starts: squaresOf(rules.startOffBoard),
    ends: squaresOf(rules.endOffBoard),
    rowWalls: rowMasks((index) => {
      if (edge === 'free') return 0;
      if (index === 1 || index === SIZE) return ALL_COLUMNS;
      return edge === 'strict' ? NEAR_EDGE_COLUMNS : 0;
    }),
    columnWalls: rowMasks((index) => {
      if (edge === 'free') return 0;
      return edge === 'strict' && isNearEdge(index) ? ALL_COLUMNS : EDGE_COLUMNS;
    }),
    room: roomOf(rules),
    suicideIsIllegal: rules.suicide === 'illegal',
    ko: rules.ko,
    isCountable: edge !== 'strict' && rules.suicide === 'loss',
  };
}

/** Masks of one position, `[22]` rows each; `prepareMasks` fills them. */
export interface MoveMasks {
  /** Centres of the mover's pieces. */
  readonly pieces: Int32Array;
  /** Squares that are taken, or whose left or right neighbour is. */
  readonly rows: Int32Array;
  /** Squares that are taken, or whose upper or lower neighbour is. */
  readonly columns: Int32Array;
}

/** Empty masks. */
export function createMasks(): MoveMasks {
  return {
    pieces: new Int32Array(PADDED_ROWS),
    rows: new Int32Array(PADDED_ROWS),
    columns: new Int32Array(PADDED_ROWS),
  };
}

/**
 * Fills the masks. A square is the centre of a piece if its footprint has stones of `own` and none of `other`
 * (docs/reference/rules.md, 2.1).
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

/** Fills `out`, `[22]`, with the squares whose footprints have stones of `stones`. */
export function coverSquares(out: Int32Array, stones: Int32Array): void {
  let below = 0;
  let here = stones[1]!;
  for (let index = 1; index <= SIZE; index++) {
    const above = stones[index + 1]!;
    const columns = below | here | above;
    out[index] = columns | (columns << 1) | (columns >> 1);
    below = here;
    here = above;
  }
}
