import { type Action, opponentOf, type Player } from '../game.js';
import { highBits, lowBits, PLAYER_HASH_HIGH, PLAYER_HASH_LOW, rowKeys } from './board-hash.js';
import {
  BOARD_ROWS,
  codeOfSquare,
  COLUMN_STEPS,
  END_CODES,
  MAX_DISTANCE,
  rayOf,
  ROW_STEPS,
  rowOf,
  SIZE,
} from './gess-board.js';
import type { GessPosition } from './gess-position.js';
import {
  outcomeAfter,
  RECORD_ACTION,
  RECORD_END,
  RECORD_HASH_HIGH,
  RECORD_HASH_LOW,
  RECORD_RINGS,
  RECORD_SIZE,
  RECORD_START,
  refreshRing,
} from './gess-position.js';

/** Offset of the next move's record; grows `records` if needed. */
function nextRecord(position: GessPosition): number {
  const record = position.historyLength * RECORD_SIZE;
  if (record === position.records.length) {
    const records = new Int32Array(record * 2);
    records.set(position.records);
    position.records = records;
  }
  return record;
}

/**
 * Writes the undo record of `action`, which goes from the row at `start` to the row at `end`; returns its
 * offset.
 */
function recordMove(position: GessPosition, action: Action, start: number, end: number): number {
  const record = nextRecord(position);
  // Read only now: `nextRecord` replaces the array when it is full.
  const records = position.records;
  const own = position.stones[position.player];
  const other = position.stones[opponentOf(position.player)];
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
  return record;
}

/** The columns of a footprint centred on `column`. */
function footprintColumns(column: number): number {
  return (7 << column) >> 1;
}

/**
 * Plays a legal move, unchecked: the piece's stones go to the end, except those that leave the board
 * (docs/reference/rules.md, 2.4), and all other stones under the footprint there are captured (2.3).
 */
export function applyMove(position: GessPosition, action: Action): void {
  const distance = (action % MAX_DISTANCE) + 1;
  const ray = rayOf(action);
  const row = rowOf(ray >> 3);
  const column = (ray >> 3) - row * SIZE;
  const columnShift = distance * COLUMN_STEPS[ray & 7]!;
  const start = row + 1;
  const end = start + distance * ROW_STEPS[ray & 7]!;
  const startColumns = footprintColumns(column);
  const endColumns = footprintColumns(column + columnShift);
  const player = position.player;
  const own = position.stones[player];
  const other = position.stones[opponentOf(player)];

  const record = recordMove(position, action, start, end);
  // Read only now: `recordMove` replaces the array when it is full.
  const records = position.records;
  let low = position.hashLow ^ PLAYER_HASH_LOW;
  let high = position.hashHigh ^ PLAYER_HASH_HIGH;
  for (let i = 0; i < 3; i++) {
    const index = start - 1 + i;
    const piece = records[record + RECORD_START + i]! & startColumns;
    if (piece === 0) continue;
    own[index] = own[index]! ^ piece;
    const keys = rowKeys(player, index);
    low ^= lowBits(keys, piece);
    high ^= highBits(keys, piece);
  }
  for (let i = 0; i < 3; i++) {
    const index = end - 1 + i;
    const piece = records[record + RECORD_START + i]! & startColumns;
    const shifted = (columnShift < 0 ? piece >> -columnShift : piece << columnShift) & BOARD_ROWS[index]!;
    const ownChange = (own[index]! & endColumns) ^ shifted;
    if (ownChange !== 0) {
      own[index] = own[index]! ^ ownChange;
      const keys = rowKeys(player, index);
      low ^= lowBits(keys, ownChange);
      high ^= highBits(keys, ownChange);
    }
    const captured = other[index]! & endColumns;
    if (captured !== 0) {
      other[index] = other[index]! ^ captured;
      const keys = rowKeys(opponentOf(player), index);
      low ^= lowBits(keys, captured);
      high ^= highBits(keys, captured);
    }
  }
  position.hashLow = low;
  position.hashHigh = high;
  passTurn(position, player);
}

/** Ends the turn of `player`, whose move has changed the stones. */
function passTurn(position: GessPosition, player: Player): void {
  position.historyLength += 1;
  position.ply += 1;
  position.player = opponentOf(player);
  refreshRing(position, 0);
  refreshRing(position, 1);
  position.outcome = outcomeAfter(position.rings, player);
}

/**
 * Whether the footprint after a move overlaps a ring of the opponent. Without a ko rule, no other move can
 * win; with one, a move may also win by leaving the opponent without moves.
 */
export function reachesRing(position: GessPosition, action: Action): boolean {
  const ring = codeOfSquare(position.rings[opponentOf(position.player)]!);
  // Both differences plus 2; a negative one makes a byte, or the whole, larger than 4.
  const apart = END_CODES[action]! - ring + 0x0202;
  return (apart & 0xff) <= 4 && apart >>> 8 <= 4;
}

/**
 * `reachesRing` for a list: the index of the first of `actions[from]` to `actions[count - 1]` that does; else
 * `count`.
 */
export function nextReachingRing(
  position: GessPosition,
  actions: Int32Array,
  count: number,
  from: number,
): number {
  const corner = codeOfSquare(position.rings[opponentOf(position.player)]!) - 0x0202;
  for (let i = from; i < count; i++) {
    const apart = END_CODES[actions[i]!]! - corner;
    // Nearly all end elsewhere: one test of both differences, 0 to 7, comes before the exact ones.
    if ((apart & ~0x0707) === 0 && (apart & 7) <= 4 && apart >> 8 <= 4) return i;
  }
  return count;
}

/**
 * Restores the stones from before a move: `own` and `other` are the stones of its mover and of the opponent after it,
 * `record` is the offset of its record.
 */
export function restoreStones(own: Int32Array, other: Int32Array, records: Int32Array, record: number): void {
  const action = records[record + RECORD_ACTION]!;
  const ray = rayOf(action);
  const start = rowOf(ray >> 3) + 1;
  const end = start + ((action % MAX_DISTANCE) + 1) * ROW_STEPS[ray & 7]!;
  for (let i = 0; i < 3; i++) {
    own[start - 1 + i] = records[record + RECORD_START + i]!;
    own[end - 1 + i] = records[record + RECORD_END + i]!;
    other[end - 1 + i] = records[record + RECORD_END + 3 + i]!;
  }
}

/** Takes the last move back. Unchecked: there must be one. */
export function undoMove(position: GessPosition): void {
  position.historyLength -= 1;
  position.ply -= 1;
  const opponent = position.player;
  const player = opponentOf(opponent);
  position.player = player;
  const records = position.records;
  const record = position.historyLength * RECORD_SIZE;
  restoreStones(position.stones[player], position.stones[opponent], records, record);
  position.hashLow = records[record + RECORD_HASH_LOW]!;
  position.hashHigh = records[record + RECORD_HASH_HIGH]!;
  position.rings[0] = records[record + RECORD_RINGS]!;
  position.rings[1] = records[record + RECORD_RINGS + 1]!;
  // Not always null: `canForce` allows moves after the end of a game.
  position.outcome = outcomeAfter(position.rings, opponent);
}
