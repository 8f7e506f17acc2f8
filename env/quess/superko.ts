import type { Action } from '../game.js';
import { EMPTY, MOVES_PER_SQUARE, TARGETS } from './quess-board.js';
import {
  chainOf,
  CODE_SHIFT,
  CODE_WORD,
  CODE_WORDS,
  NO_RECORD,
  pieceHashHigh,
  pieceHashLow,
  type QuessPosition,
  RECORD_CODE,
  RECORD_HASH_HIGH,
  RECORD_HASH_LOW,
  RECORD_NEXT,
  RECORD_SIZE,
} from './quess-position.js';

/**
 * The fewest moves after which a board can recur: each side moves away and back, and the fourth of these
 * moves would repeat the board.
 */
const FEWEST_MOVES = 3;

/** Whether the history may have boards, with as many pieces as now, that a move could repeat. */
export function mayRepeat(position: QuessPosition): boolean {
  return position.historyLength - position.firstAlike >= FEWEST_MOVES;
}

/** Whether the board of `record` is this one with the piece on `start` moved to `end`, which is empty. */
function isBoardAfter(position: QuessPosition, record: number, start: number, end: number): boolean {
  const piece = position.cells[start]!;
  for (let word = 0; word < CODE_WORDS; word++) {
    let code = position.code[word]!;
    if (CODE_WORD[start] === word) code ^= piece << CODE_SHIFT[start]!;
    if (CODE_WORD[end] === word) code ^= piece << CODE_SHIFT[end]!;
    if (code !== position.records[record + RECORD_CODE + word]) return false;
  }
  return true;
}

/**
 * The record whose board `action`, a move to another square, would repeat, or `NO_RECORD`. Pieces never
 * return to the board, so a capture repeats none. Hashes only select candidates.
 */
export function findRepeated(position: QuessPosition, action: Action): number {
  const { cells, records, firstAlike } = position;
  const start = Math.floor(action / MOVES_PER_SQUARE);
  const end = TARGETS[action]!;
  if (cells[end] !== EMPTY) return NO_RECORD;
  const piece = cells[start]!;
  const low = position.hashLow ^ pieceHashLow(start, piece) ^ pieceHashLow(end, piece);
  const high = position.hashHigh ^ pieceHashHigh(start, piece) ^ pieceHashHigh(end, piece);
  for (let index = position.chains[chainOf(low)]!; index >= firstAlike;) {
    const record = index * RECORD_SIZE;
    if (
      records[record + RECORD_HASH_LOW] === low &&
      records[record + RECORD_HASH_HIGH] === high &&
      isBoardAfter(position, record, start, end)
    ) {
      return index;
    }
    index = records[record + RECORD_NEXT]!;
  }
  return NO_RECORD;
}
