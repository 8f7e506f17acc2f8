import type { Action } from '../game.js';
import { BOARD_ROWS, COLUMN_STEPS, MAX_DISTANCE, ROW_STEPS, SIZE } from './board.js';
import type { GessPosition } from './position.js';
import {
  outcomeAfter,
  PLAYER_HASH_HIGH,
  PLAYER_HASH_LOW,
  RECORD_ACTION,
  RECORD_END,
  RECORD_HASH_HIGH,
  RECORD_HASH_LOW,
  RECORD_RINGS,
  RECORD_SIZE,
  RECORD_START,
  refreshRing,
  rowHashHigh,
  rowHashLow,
} from './position.js';

/** Sets one row of both colours and keeps the hash in step. */
function setRow(position: GessPosition, index: number, black: number, white: number): void {
  const blacks = position.stones[0];
  const whites = position.stones[1];
  const oldBlack = blacks[index]!;
  const oldWhite = whites[index]!;
  if (oldBlack === black && oldWhite === white) return;
  position.hashLow ^= rowHashLow(index, oldBlack, oldWhite) ^ rowHashLow(index, black, white);
  position.hashHigh ^= rowHashHigh(index, oldBlack, oldWhite) ^ rowHashHigh(index, black, white);
  blacks[index] = black;
  whites[index] = white;
}

/** The record that the next move fills, at its first word. */
function nextRecord(position: GessPosition): number {
  const record = position.historyLength * RECORD_SIZE;
  if (record === position.records.length) {
    const records = new Int32Array(record * 2);
    records.set(position.records);
    position.records = records;
  }
  return record;
}

/** The columns of a footprint centred on `column`. */
function footprintColumns(column: number): number {
  return (7 << column) >> 1;
}

/** Plays a legal move. Not checked. */
export function applyMove(position: GessPosition, action: Action): void {
  const distance = (action % MAX_DISTANCE) + 1;
  const ray = Math.floor(action / MAX_DISTANCE);
  const square = ray >> 3;
  const row = Math.floor(square / SIZE);
  const column = square - row * SIZE;
  const columnShift = distance * COLUMN_STEPS[ray & 7]!;
  const start = row + 1;
  const end = start + distance * ROW_STEPS[ray & 7]!;
  const startColumns = footprintColumns(column);
  const endColumns = footprintColumns(column + columnShift);
  const player = position.player;
  const own = position.stones[player];
  const other = position.stones[player === 0 ? 1 : 0];

  const record = nextRecord(position);
  const records = position.records;
  records[record + RECORD_ACTION] = action;
  records[record + RECORD_HASH_LOW] = position.hashLow;
  records[record + RECORD_HASH_HIGH] = position.hashHigh;
  records[record + RECORD_RINGS] = position.rings[0]!;
  records[record + RECORD_RINGS + 1] = position.rings[1]!;
  for (let i = 0; i < 3; i++) {
    records[record + RECORD_START + i] = own[start - 1 + i]!;
    records[record + RECORD_END + i] = own[end - 1 + i]!;
    records[record + RECORD_END + 3 + i] = other[end - 1 + i]!;
  }

  for (let index = start - 1; index <= start + 1; index++) {
    const rest = own[index]! & ~startColumns;
    if (player === 0) setRow(position, index, rest, other[index]!);
    else setRow(position, index, other[index]!, rest);
  }
  for (let i = 0; i < 3; i++) {
    const index = end - 1 + i;
    const piece = records[record + RECORD_START + i]! & startColumns;
    const shifted = columnShift < 0 ? piece >> -columnShift : piece << columnShift;
    const ownRow = (own[index]! & ~endColumns) | (shifted & BOARD_ROWS[index]!);
    const otherRow = other[index]! & ~endColumns;
    if (player === 0) setRow(position, index, ownRow, otherRow);
    else setRow(position, index, otherRow, ownRow);
  }

  position.historyLength += 1;
  position.ply += 1;
  position.player = player === 0 ? 1 : 0;
  position.hashLow ^= PLAYER_HASH_LOW;
  position.hashHigh ^= PLAYER_HASH_HIGH;
  refreshRing(position, 0);
  refreshRing(position, 1);
  position.outcome = outcomeAfter(position.rings, player);
}

/** Takes the last move back. Not checked that there is one. */
export function undoMove(position: GessPosition): void {
  position.historyLength -= 1;
  position.ply -= 1;
  position.outcome = null;
  const player = position.player === 0 ? 1 : 0;
  position.player = player;
  const own = position.stones[player];
  const other = position.stones[player === 0 ? 1 : 0];
  const records = position.records;
  const record = position.historyLength * RECORD_SIZE;
  const action = records[record + RECORD_ACTION]!;
  const ray = Math.floor(action / MAX_DISTANCE);
  const start = Math.floor((ray >> 3) / SIZE) + 1;
  const end = start + ((action % MAX_DISTANCE) + 1) * ROW_STEPS[ray & 7]!;
  for (let i = 0; i < 3; i++) {
    own[start - 1 + i] = records[record + RECORD_START + i]!;
    own[end - 1 + i] = records[record + RECORD_END + i]!;
    other[end - 1 + i] = records[record + RECORD_END + 3 + i]!;
  }
  position.hashLow = records[record + RECORD_HASH_LOW]!;
  position.hashHigh = records[record + RECORD_HASH_HIGH]!;
  position.rings[0] = records[record + RECORD_RINGS]!;
  position.rings[1] = records[record + RECORD_RINGS + 1]!;
}
