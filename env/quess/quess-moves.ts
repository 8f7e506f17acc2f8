import { type Action, opponentOf } from '../game.js';
import { EMPTY, MOVES_PER_SQUARE, TARGETS } from './quess-board.js';
import { outcomeOnBoard } from './ending.js';
import {
  chainOf,
  CODE_WORDS,
  outcomeToWord,
  type QuessPosition,
  RECORD_ACTION,
  RECORD_CAPTURED,
  RECORD_CLOCKS,
  RECORD_CODE,
  RECORD_FIRST_ALIKE,
  RECORD_HASH_HIGH,
  RECORD_HASH_LOW,
  RECORD_NEXT,
  RECORD_OUTCOME,
  RECORD_SIZE,
  setPiece,
  wordToOutcome,
} from './quess-position.js';

/** Offset of the next move's record; grows `records` if needed. */
function nextRecord(position: QuessPosition): number {
  const record = position.historyLength * RECORD_SIZE;
  if (record === position.records.length) {
    const records = new Int32Array(record * 2);
    records.set(position.records);
    position.records = records;
  }
  return record;
}

/** Records the position before `action` in the history, and puts its board at the head of its chain. */
function writeRecord(position: QuessPosition, action: Action): void {
  const record = nextRecord(position);
  const { records, chains, clocks, player } = position;
  const chain = chainOf(position.hashLow);
  records[record + RECORD_ACTION] = action;
  records[record + RECORD_CAPTURED] = position.cells[TARGETS[action]!]!;
  for (let word = 0; word < CODE_WORDS; word++) records[record + RECORD_CODE + word] = position.code[word]!;
  records[record + RECORD_HASH_LOW] = position.hashLow;
  records[record + RECORD_HASH_HIGH] = position.hashHigh;
  records[record + RECORD_NEXT] = chains[chain]!;
  records[record + RECORD_FIRST_ALIKE] = position.firstAlike;
  records[record + RECORD_CLOCKS] = player === 0 ? position.turnClock : clocks[0]!;
  records[record + RECORD_CLOCKS + 1] = player === 1 ? position.turnClock : clocks[1]!;
  records[record + RECORD_OUTCOME] = outcomeToWord(position.outcome);
  chains[chain] = position.historyLength;
}

/** Plays a move, unchecked: a legal one, or any from a piece of the mover to a square without one. */
export function applyMove(position: QuessPosition, action: Action): void {
  const start = Math.floor(action / MOVES_PER_SQUARE);
  const end = TARGETS[action]!;
  const isCapture = position.cells[end] !== EMPTY;
  const other = opponentOf(position.player);
  writeRecord(position, action);
  const piece = position.cells[start]!;
  setPiece(position, start, EMPTY);
  setPiece(position, end, piece);
  position.historyLength += 1;
  position.ply += 1;
  position.player = other;
  if (isCapture) position.firstAlike = position.historyLength;
  position.turnClock = position.clocks[other]!;
  position.outcome = outcomeOnBoard(position);
}

/** Takes the last move back, with the time spent on it and since. Unchecked: there must be one. */
export function undoMove(position: QuessPosition): void {
  const { records, clocks } = position;
  position.historyLength -= 1;
  position.ply -= 1;
  const record = position.historyLength * RECORD_SIZE;
  const action = records[record + RECORD_ACTION]!;
  const start = Math.floor(action / MOVES_PER_SQUARE);
  const end = TARGETS[action]!;
  setPiece(position, start, position.cells[end]!);
  setPiece(position, end, records[record + RECORD_CAPTURED]!);
  position.chains[chainOf(position.hashLow)] = records[record + RECORD_NEXT]!;
  const player = opponentOf(position.player);
  position.player = player;
  position.firstAlike = records[record + RECORD_FIRST_ALIKE]!;
  clocks[0] = records[record + RECORD_CLOCKS]!;
  clocks[1] = records[record + RECORD_CLOCKS + 1]!;
  position.turnClock = clocks[player]!;
  position.outcome = wordToOutcome(records[record + RECORD_OUTCOME]!);
}
