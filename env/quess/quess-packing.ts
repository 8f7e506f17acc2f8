import { NO_ACTION } from '../game.js';
import { NotationError } from '../errors.js';
import { NUM_ACTIONS, NUM_SQUARES, OFF_BOARD, PIECE_LETTERS, TARGETS } from './quess-board.js';
import { settle } from './ending.js';
import { listBarredMoves, listMoves, MAX_LEGAL_ACTIONS } from './quess-move-generation.js';
import { checkClocks, checkPieces } from './quess-notation.js';
import {
  CODE_SHIFT,
  CODE_WORD,
  CODE_WORDS,
  NO_RECORD,
  type QuessPosition,
  recentAction,
  setPiece,
} from './quess-position.js';
import type { QuessRules } from './quess-rules.js';

/**
 * A position in 39 bytes, numbers little-endian:
 *
 * |bytes|content|
 * |---|---|
 * |0..15|four words of 32 bits; word `w` holds squares `9 w` to `9 w + 8`, three bits each, the first lowest: 0 empty, 1 2 3 light's triangle, circle, square, 4 5 6 dark's|
 * |16|1 if dark is to move, else 0|
 * |17, 18|ply|
 * |19, 20|last move, its action plus 1; 0 if there was none|
 * |21, 22|the move before that, the same way|
 * |23..30|64 bits: bit `i` is 1 if superko bars the move with index `i`, ascending, among the moves without superko|
 * |31..34|milliseconds that light has left; 0 without clocks|
 * |35..38|the same for dark|
 */
export const PACKED_SIZE = 39;

const PLAYER = 16;
const PLY = 17;
const LAST_MOVE = 19;
const MOVE_BEFORE = 21;
const BARS = 23;
const CLOCKS = 31;

/** Scratch of each call; kept to avoid allocation. */
const scratch = new Int32Array(MAX_LEGAL_ACTIONS);
const bars = new Int32Array(2);

function write16(out: Uint8Array, at: number, word: number): void {
  out[at] = word & 0xff;
  out[at + 1] = (word >> 8) & 0xff;
}

function write32(out: Uint8Array, at: number, word: number): void {
  write16(out, at, word & 0xffff);
  write16(out, at + 2, word >>> 16);
}

function read16(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8);
}

function read32(bytes: Uint8Array, at: number): number {
  return read16(bytes, at) | (read16(bytes, at + 2) << 16);
}

/** Writes `PACKED_SIZE` bytes to `out[offset …]`. */
export function packPosition(position: QuessPosition, out: Uint8Array, offset: number): void {
  for (let word = 0; word < CODE_WORDS; word++) write32(out, offset + 4 * word, position.code[word]!);
  out[offset + PLAYER] = position.player;
  write16(out, offset + PLY, position.ply);
  write16(out, offset + LAST_MOVE, recentAction(position, 1) + 1);
  write16(out, offset + MOVE_BEFORE, recentAction(position, 2) + 1);
  listBarredMoves(position, scratch, bars);
  write32(out, offset + BARS, bars[0]!);
  write32(out, offset + BARS + 4, bars[1]!);
  write32(out, offset + CLOCKS, position.clocks[0]!);
  write32(out, offset + CLOCKS + 4, position.clocks[1]!);
}

function unpackBoard(bytes: Uint8Array, offset: number, position: QuessPosition): void {
  for (let square = 0; square < NUM_SQUARES; square++) {
    const piece = (read32(bytes, offset + 4 * CODE_WORD[square]!) >> CODE_SHIFT[square]!) & 7;
    if (piece >= PIECE_LETTERS.length) {
      throw new NotationError('position-syntax', `expected a piece 0 to 6 on square ${square}, got ${piece}`);
    }
    setPiece(position, square, piece);
  }
  for (let word = 0; word < CODE_WORDS; word++) {
    if (position.code[word] !== read32(bytes, offset + 4 * word)) {
      throw new NotationError('position-syntax', `expected 27 bits in word ${word} of the board`);
    }
  }
  checkPieces(position);
}

/** Whether `word` encodes no move, or a move that stays on the board. */
function isMoveWord(word: number): boolean {
  return word === 0 || (word <= NUM_ACTIONS && TARGETS[word - 1] !== OFF_BOARD);
}

/** Reads the bits of barred moves, after the board and the player. */
function unpackBars(bytes: Uint8Array, offset: number, position: QuessPosition): void {
  const { priorBars } = position;
  priorBars[0] = read32(bytes, offset + BARS);
  priorBars[1] = read32(bytes, offset + BARS + 4);
  const count = listMoves(position, scratch);
  const beyond = count >= 32 ? priorBars[1] >>> (count - 32) : priorBars[1] | (priorBars[0] >>> count);
  if (beyond !== 0) {
    throw new NotationError('position-syntax', `expected bits of ${count} barred moves, got more`);
  }
}

/**
 * Sets `position` to the packed one, without history.
 *
 * @throws NotationError `position-size`, `position-syntax`; `position` is then undefined.
 */
export function unpackPosition(
  bytes: Uint8Array,
  offset: number,
  position: QuessPosition,
  rules: QuessRules,
): void {
  if (bytes.length - offset < PACKED_SIZE) {
    throw new NotationError('position-size', `expected ${PACKED_SIZE} bytes, got ${bytes.length - offset}`);
  }
  const player = bytes[offset + PLAYER]!;
  const last = read16(bytes, offset + LAST_MOVE);
  const before = read16(bytes, offset + MOVE_BEFORE);
  if (player > 1 || !isMoveWord(last) || !isMoveWord(before)) {
    const found = `${player}, ${last}, ${before}`;
    throw new NotationError(
      'position-syntax',
      `expected a player 0 or 1 and moves on the board, below ${NUM_ACTIONS}, got ${found}`,
    );
  }
  unpackBoard(bytes, offset, position);
  position.player = player === 0 ? 0 : 1;
  position.ply = read16(bytes, offset + PLY);
  position.priorActions[0] = last === 0 ? NO_ACTION : last - 1;
  position.priorActions[1] = before === 0 ? NO_ACTION : before - 1;
  unpackBars(bytes, offset, position);
  position.clocks[0] = read32(bytes, offset + CLOCKS);
  position.clocks[1] = read32(bytes, offset + CLOCKS + 4);
  checkClocks(position, rules);
  position.chains.fill(NO_RECORD);
  settle(position);
}
