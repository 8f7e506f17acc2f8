import { mixBits } from '../random.js';
import { PADDED_ROWS } from './gess-board.js';

/**
 * Zobrist hash of a board (1970): each stone on each square has 64 random bits, two words of 32, and a
 * board's hash is the exclusive or of them all. One look-up covers half a row, nine columns, so adding or
 * removing any stones of a row costs two look-ups a word.
 */

/** Columns of half a row. */
const HALF_COLUMNS = 9;
const HALF_ROWS = 1 << HALF_COLUMNS;
const HALF_MASK = HALF_ROWS - 1;

/** `[2 * 22 * 2 * 512]` by colour, row, half, and the set of its columns with a stone. */
function createKeys(word: number): Int32Array {
  const keys = new Int32Array(2 * PADDED_ROWS * 2 * HALF_ROWS);
  for (let half = 0; half < keys.length / HALF_ROWS; half++) {
    for (let column = 0; column < HALF_COLUMNS; column++) {
      const square = half * HALF_COLUMNS + column;
      const bits = mixBits(mixBits(Math.imul(square + 1, 0x9e3779b1)) ^ Math.imul(word, 0x85ebca6b));
      // The sets of columns up to this one are those of the columns before it, with and without it.
      const start = half * HALF_ROWS;
      const count = 1 << column;
      for (let without = start; without < start + count; without++)
        keys[without + count] = keys[without]! ^ bits;
    }
  }
  return keys;
}

const LOW_KEYS = createKeys(1);
const HIGH_KEYS = createKeys(2);

/** Offset of the keys of `color`, 0 or 1, and the row at `index`, for `lowBits` and `highBits`. */
export function rowKeys(color: number, index: number): number {
  return (color * PADDED_ROWS + index) * 2 * HALF_ROWS;
}

/** Low 32 bits of the hash of `stones`, a row without columns 0 and 19; `keys` comes from `rowKeys`. */
export function lowBits(keys: number, stones: number): number {
  return (
    LOW_KEYS[keys + ((stones >> 1) & HALF_MASK)]! ^
    LOW_KEYS[keys + HALF_ROWS + (stones >> (HALF_COLUMNS + 1))]!
  );
}

/** High 32 bits, as `lowBits`. */
export function highBits(keys: number, stones: number): number {
  return (
    HIGH_KEYS[keys + ((stones >> 1) & HALF_MASK)]! ^
    HIGH_KEYS[keys + HALF_ROWS + (stones >> (HALF_COLUMNS + 1))]!
  );
}

/** Mixed into the low word of the hash when the second player is to move. */
export const PLAYER_HASH_LOW = 0x5bd1e995;
/** As `PLAYER_HASH_LOW`, for the high word. */
export const PLAYER_HASH_HIGH = 0x1b873593;
