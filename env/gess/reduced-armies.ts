import type { Rng } from '../random.js';
import { rowOf, SIZE } from './gess-board.js';
import { formatPosition, parsePosition, START_TEXT } from './position-notation.js';
import { settle } from './gess-position.js';

/** The squares with a stone in `rows`, ascending. */
function blackSquares(rows: Int32Array): number[] {
  const squares: number[] = [];
  for (let row = 0; row < SIZE; row++) {
    for (let column = 0; column < SIZE; column++) {
      if ((rows[row + 1]! >> column) & 1) squares.push(row * SIZE + column);
    }
  }
  return squares;
}

/** Whether `square` is one of the nine around `center`. */
function isOfRing(square: number, center: number): boolean {
  const rows = Math.abs(rowOf(square) - rowOf(center));
  const columns = Math.abs((square % SIZE) - (center % SIZE));
  return rows <= 1 && columns <= 1;
}

/**
 * The starting position with randomly removed stones, mirrored for the two colours. Both rings stay, so by
 * docs/rules.md, 3.6, the player to move has a legal move that keeps a ring.
 *
 * @param share share of each colour's 43 stones to remove, in [0, 1], rounded; at most 35 are removed.
 * @returns the position as a text, with Black to move at ply 0; null if no stone is removed.
 */
export function reducedStart(share: number, rng: Rng): string | null {
  const position = parsePosition(START_TEXT);
  const [black, white] = position.stones;
  const all = blackSquares(black);
  const removable = all.filter((square) => !isOfRing(square, position.rings[0]!));
  const removed = Math.min(removable.length, Math.round(share * all.length));
  for (let left = removable.length; left > removable.length - removed; left--) {
    const index = rng.integer(left);
    const square = removable[index]!;
    removable[index] = removable[left - 1]!;
    const [row, bit] = [rowOf(square), 1 << (square % SIZE)];
    black[row + 1]! &= ~bit;
    white[SIZE - row]! &= ~bit;
  }
  if (removed === 0) return null;
  settle(position);
  return formatPosition(position);
}
