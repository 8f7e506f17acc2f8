import { SIZE } from '../../../env/gess/gess-board.js';
import {
  OFFSETS,
  THIRDS,
  thirdOf,
  WINDOW_CHANNELS,
} from '../../../env/gess/heuristics/patterns/pattern-weights.js';
import { OTHER_VIEW, TERNARY } from '../../../env/gess/heuristics/patterns/window-codes.js';
import { ROW_WORDS } from './pattern-rows.js';

const GRID_ROWS = SIZE - 2;
const PADDED_ROWS = SIZE + 2;
/** Upper bounds of the windows and of the stones of a position. */
const MAX_WINDOWS = SIZE * SIZE;
const MAX_STONES = GRID_ROWS * GRID_ROWS;

interface Square {
  readonly row: number;
  readonly column: number;
}

/** The bits of columns 0 to 19 in the reverse order. */
function mirrored(bits: number): number {
  let result = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1)
    result |= 1 << (SIZE - 1 - (31 - Math.clz32(rest & -rest)));
  return result;
}

/** The nine squares of the window around (`row`, `column`) as bits. */
function nineOf(board: Int32Array, row: number, column: number): number {
  const lower = ((board[row]! << 1) >> column) & 7;
  const middle = ((board[row + 1]! << 1) >> column) & 7;
  return lower | (middle << 3) | ((((board[row + 2]! << 1) >> column) & 7) << 6);
}

function placeOf(kind: number, rows: number, columns: number): number {
  return (kind * OFFSETS + rows + SIZE - 1) * OFFSETS + columns + SIZE - 1;
}

/** Indices of the vectors of one position, for both views. */
export class PatternFeatures {
  windows = 0;
  stones = 0;
  /** `[2, windows]` codes, and where the sums of their parts of the board begin. */
  readonly codes = [new Uint16Array(MAX_WINDOWS), new Uint16Array(MAX_WINDOWS)] as const;
  readonly parts = [new Uint16Array(MAX_WINDOWS), new Uint16Array(MAX_WINDOWS)] as const;
  /** `[2, 2 * stones]` rows of `places`. */
  readonly places = [new Uint16Array(2 * MAX_STONES), new Uint16Array(2 * MAX_STONES)] as const;
  private readonly boards = [new Int32Array(PADDED_ROWS), new Int32Array(PADDED_ROWS)] as const;

  /** Reads row `row` of `words`, its files mirrored if `isMirrored`. */
  read(words: Int32Array, row: number, isMirrored: boolean): void {
    const at = row * ROW_WORDS;
    for (let side = 0; side < 2; side++) {
      const board = this.boards[side as 0 | 1];
      for (let i = 0; i < GRID_ROWS; i++) {
        const bits = words[at + side * GRID_ROWS + i]!;
        board[i + 2] = isMirrored ? mirrored(bits) : bits;
      }
    }
    this.listWindows();
    const rings = [words[at + 2 * GRID_ROWS]!, words[at + 2 * GRID_ROWS + 1]!].map((ring) => {
      const column = ring % SIZE;
      return { row: (ring - column) / SIZE, column: isMirrored ? SIZE - 1 - column : column };
    });
    this.listPlaces(rings[0]!, rings[1]!);
  }

  private listWindows(): void {
    const [own, other] = this.boards;
    let count = 0;
    for (let row = 0; row < SIZE; row++) {
      const filled =
        (own[row]! | own[row + 1]! | own[row + 2]! | other[row]! | other[row + 1]! | other[row + 2]!) << 1;
      for (let column = 0; column < SIZE; column++) {
        if (((filled >> column) & 7) === 0) continue;
        const code = TERNARY[nineOf(own, row, column)]! + 2 * TERNARY[nineOf(other, row, column)]!;
        const side = thirdOf(column);
        this.codes[0][count] = code;
        this.codes[1][count] = OTHER_VIEW[code]!;
        this.parts[0][count] = (thirdOf(row) * THIRDS + side) * WINDOW_CHANNELS;
        this.parts[1][count] = (thirdOf(SIZE - 1 - row) * THIRDS + side) * WINDOW_CHANNELS;
        count += 1;
      }
    }
    this.windows = count;
  }

  private listPlaces(ownRing: Square, otherRing: Square): void {
    let count = 0;
    for (const [color, board] of this.boards.entries()) {
      for (let row = 1; row <= GRID_ROWS; row++) {
        for (let bits = board[row + 1]!; bits !== 0; bits &= bits - 1) {
          const column = 31 - Math.clz32(bits & -bits);
          this.places[0][count] = placeOf(color, row - ownRing.row, column - ownRing.column);
          this.places[1][count] = placeOf(1 - color, otherRing.row - row, column - otherRing.column);
          this.places[0][count + 1] = placeOf(2 + color, row - otherRing.row, column - otherRing.column);
          this.places[1][count + 1] = placeOf(3 - color, ownRing.row - row, column - ownRing.column);
          count += 2;
        }
      }
    }
    this.stones = count;
  }
}
