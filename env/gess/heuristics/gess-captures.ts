import { countBits } from '../../bit-counting.js';
import { COLUMN_STEPS, MAX_DISTANCE, rayOf, ROW_STEPS, rowOf, SIZE } from '../gess-board.js';
import type { GessPosition } from '../gess-position.js';
import { NO_RING } from '../rings.js';
import { type Action, opponentOf } from '../../game.js';

/** Larger than any gain, as a footprint has nine squares. */
const GAIN_STEP = 16;

/** Number of the piece's stones that end off the board, for a move from `start` to `row`, `column`. */
function countLost(own: Int32Array, start: number, row: number, column: number): number {
  const index = rowOf(start) + 1;
  const startColumn = start % SIZE;
  let lost = 0;
  for (let i = -1; i <= 1; i++) {
    const piece = own[index + i]! & ((7 << startColumn) >> 1);
    if (piece === 0) continue;
    if (row + i < 1 || row + i > SIZE - 2) lost += countBits(piece);
    else if (column <= 1) lost += countBits(piece & ((1 << (startColumn + 1 - column)) - 1));
    else if (column >= SIZE - 2) lost += countBits(piece & ~((1 << (startColumn + SIZE - 1 - column)) - 1));
  }
  return lost;
}

/**
 * Number of the opponent's stones that a legal move captures, minus the mover's own losses: stones under the
 * footprint and those pushed off the board. 0 for a move that captures none of the opponent's.
 */
export function stonesWon(position: GessPosition, action: Action): number {
  const own = position.stones[position.player];
  const other = position.stones[opponentOf(position.player)];
  const distance = (action % MAX_DISTANCE) + 1;
  const ray = rayOf(action);
  const start = ray >> 3;
  const startRow = rowOf(start);
  const startColumn = start - startRow * SIZE;
  const row = startRow + distance * ROW_STEPS[ray & 7]!;
  const column = startColumn + distance * COLUMN_STEPS[ray & 7]!;
  const end = row + 1;
  const columns = (7 << column) >> 1;
  const below = other[end - 1]! & columns;
  const here = other[end]! & columns;
  const above = other[end + 1]! & columns;
  if ((below | here | above) === 0) return 0;
  let won = countBits(below) + countBits(here) + countBits(above);
  const startColumns = (7 << startColumn) >> 1;
  for (let index = end - 1; index <= end + 1; index++) {
    // The piece's own stones move along, so they are not captured.
    const left = Math.abs(index - 1 - startRow) <= 1 ? own[index]! & ~startColumns : own[index]!;
    if ((left & columns) !== 0) won -= countBits(left & columns);
  }
  const isAtEdge = row <= 1 || row >= SIZE - 2 || column <= 1 || column >= SIZE - 2;
  return isAtEdge ? won - countLost(own, start, row, column) : won;
}

/** Whether the end footprint of `action` meets the opponent's known ring. */
export function meetsRing(position: GessPosition, action: Action): boolean {
  const ring = position.rings[opponentOf(position.player)]!;
  if (ring === NO_RING) return false;
  const ringRow = rowOf(ring);
  const distance = (action % MAX_DISTANCE) + 1;
  const ray = rayOf(action);
  const startRow = rowOf(ray >> 3);
  const row = startRow + distance * ROW_STEPS[ray & 7]!;
  const column = (ray >> 3) - startRow * SIZE + distance * COLUMN_STEPS[ray & 7]!;
  return Math.abs(row - ringRow) <= 2 && Math.abs(column - (ring - ringRow * SIZE)) <= 2;
}

/**
 * Keeps those of `count` captures that win at least `least` stones, the greatest gain first, ascending among equals;
 * returns their number.
 */
export function keepGains(position: GessPosition, actions: Int32Array, count: number, least: number): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const action = actions[i]!;
    const won = stonesWon(position, action);
    if (won >= least) actions[kept++] = action * GAIN_STEP + (GAIN_STEP - 1 - won);
  }
  // Action and gain share a number, so that sorting needs no second array. Insertion sort, as they are few.
  for (let i = 1; i < kept; i++) {
    const entry = actions[i]!;
    let at = i;
    for (; at > 0 && actions[at - 1]! % GAIN_STEP > entry % GAIN_STEP; at--) actions[at] = actions[at - 1]!;
    actions[at] = entry;
  }
  for (let i = 0; i < kept; i++) actions[i] = (actions[i]! / GAIN_STEP) | 0;
  return kept;
}
