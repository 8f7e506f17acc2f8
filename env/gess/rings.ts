import { rowOf, SIZE } from './gess-board.js';

/** Stands for an absent ring's centre. */
export const NO_RING = -1;

/** Columns with a stone whose left and right neighbours also have one. */
function middleOfThree(row: number): number {
  return row & (row << 1) & (row >> 1);
}

/**
 * Columns of the centres of `own`'s rings in the row at `index` (docs/reference/rules.md, 3.1): eight stones around an
 * empty square. `own` and `other` are `[22]` rows.
 */
export function ringColumns(own: Int32Array, other: Int32Array, index: number): number {
  const row = own[index]!;
  const sides = (row << 1) & (row >> 1) & ~row & ~other[index]!;
  return sides & middleOfThree(own[index - 1]!) & middleOfThree(own[index + 1]!);
}

/** Whether `own` has a ring centred on `square`, `row * 20 + column` or `NO_RING`. */
export function isRing(own: Int32Array, other: Int32Array, square: number): boolean {
  if (square === NO_RING) return false;
  const row = rowOf(square);
  return ((ringColumns(own, other, row + 1) >> (square - row * SIZE)) & 1) === 1;
}

/** The lowest centre of a ring of `own`, or `NO_RING`. */
export function findRing(own: Int32Array, other: Int32Array): number {
  // As `ringColumns`, but computes `middleOfThree` once a row.
  let below = middleOfThree(own[2]!);
  let here = middleOfThree(own[3]!);
  for (let index = 3; index < SIZE - 1; index++) {
    const above = middleOfThree(own[index + 1]!);
    const middles = below & above;
    if (middles !== 0) {
      const row = own[index]!;
      const columns = middles & (row << 1) & (row >> 1) & ~row & ~other[index]!;
      if (columns !== 0) return (index - 1) * SIZE + 31 - Math.clz32(columns & -columns);
    }
    below = here;
    here = above;
  }
  return NO_RING;
}

/** The centres of all rings of `own`, as `row * 20 + column`, ascending. */
export function allRings(own: Int32Array, other: Int32Array): number[] {
  const squares: number[] = [];
  for (let row = 2; row < SIZE - 2; row++) {
    for (let columns = ringColumns(own, other, row + 1); columns !== 0; columns &= columns - 1) {
      squares.push(row * SIZE + 31 - Math.clz32(columns & -columns));
    }
  }
  return squares;
}
