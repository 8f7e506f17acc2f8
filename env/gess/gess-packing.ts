import { NO_ACTION } from '../game.js';
import { NotationError } from '../errors.js';
import { endsOnSquare, NUM_ACTIONS, SIZE } from './gess-board.js';
import type { GessPosition } from './gess-position.js';
import { isRepetition, recentAction, settle } from './gess-position.js';

/**
 * A position in 88 bytes, numbers little-endian:
 *
 * |bytes|content|
 * |---|---|
 * |0..80|648 bits, bit `i` being bit `i % 8` of byte `floor(i / 8)`: `i = colour * 324 + (rank - 2) * 18 + file`, with colour 0 for Black, 1 for White and file 0 for b; 1 for a stone|
 * |81|1 if White is to move, plus 2 if this board with this player to move occurred before in the game|
 * |82, 83|ply|
 * |84, 85|last move, its action plus 1; 0 if there was none|
 * |86, 87|the move before that, the same way|
 */
export const PACKED_SIZE = 88;

const BOARD_BYTES = 81;
const BOARD_SIZE = SIZE - 2;
const FLAGS = 81;
const PLY = 82;
const LAST_MOVE = 84;
const MOVE_BEFORE = 86;

function writeWord(out: Uint8Array, at: number, word: number): void {
  out[at] = word & 0xff;
  out[at + 1] = word >> 8;
}

function readWord(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8);
}

/** Writes 88 bytes to `out[offset …]` (docs/reference/formats.md, "Packed positions"). */
export function packPosition(position: GessPosition, out: Uint8Array, offset: number): void {
  let at = offset;
  // Bits not yet written: fewer than eight, in the low end.
  let waiting = 0;
  let count = 0;
  for (const rows of position.stones) {
    for (let index = 2; index <= BOARD_SIZE + 1; index++) {
      waiting |= (rows[index]! >> 1) << count;
      count += BOARD_SIZE;
      while (count >= 8) {
        out[at++] = waiting & 0xff;
        waiting >>= 8;
        count -= 8;
      }
    }
  }
  out[offset + FLAGS] = position.player + (isRepetition(position) ? 2 : 0);
  writeWord(out, offset + PLY, position.ply);
  writeWord(out, offset + LAST_MOVE, recentAction(position, 1) + 1);
  writeWord(out, offset + MOVE_BEFORE, recentAction(position, 2) + 1);
}

function unpackStones(bytes: Uint8Array, offset: number, position: GessPosition): void {
  let at = offset;
  let waiting = 0;
  let count = 0;
  for (const rows of position.stones) {
    rows.fill(0);
    for (let index = 2; index <= BOARD_SIZE + 1; index++) {
      while (count < BOARD_SIZE) {
        waiting |= bytes[at++]! << count;
        count += 8;
      }
      rows[index] = (waiting & 0x3ffff) << 1;
      waiting >>= BOARD_SIZE;
      count -= BOARD_SIZE;
    }
  }
}

/** Whether `word` encodes no move, or a move that ends on a square. */
function isMoveWord(word: number): boolean {
  return word === 0 || (word <= NUM_ACTIONS && endsOnSquare(word - 1));
}

/**
 * Sets `position` to the packed one, without history.
 *
 * @throws NotationError `position-size`, `position-syntax`; `position` is then undefined.
 */
export function unpackPosition(bytes: Uint8Array, offset: number, position: GessPosition): void {
  if (bytes.length - offset < PACKED_SIZE) {
    throw new NotationError('position-size', `expected ${PACKED_SIZE} bytes, got ${bytes.length - offset}`);
  }
  unpackStones(bytes, offset, position);
  const [black, white] = position.stones;
  if (black.some((row, index) => (row & white[index]!) !== 0)) {
    throw new NotationError(
      'position-syntax',
      `expected no stone of both colours in the first ${BOARD_BYTES} bytes`,
    );
  }
  const flags = bytes[offset + FLAGS]!;
  const last = readWord(bytes, offset + LAST_MOVE);
  const before = readWord(bytes, offset + MOVE_BEFORE);
  if (flags > 3 || !isMoveWord(last) || !isMoveWord(before)) {
    const found = `${flags}, ${last}, ${before}`;
    throw new NotationError(
      'position-syntax',
      `expected flags below 4 and moves up to ${NUM_ACTIONS} that end on a square, got ${found}`,
    );
  }
  position.player = (flags & 1) === 0 ? 0 : 1;
  position.ply = readWord(bytes, offset + PLY);
  position.priorRepetition = flags >= 2;
  position.priorActions[0] = last === 0 ? NO_ACTION : last - 1;
  position.priorActions[1] = before === 0 ? NO_ACTION : before - 1;
  settle(position);
}
