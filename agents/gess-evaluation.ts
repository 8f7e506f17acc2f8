import { COLUMN_STEPS, MAX_DISTANCE, ROW_STEPS, SIZE } from '../env/gess/board.js';
import type { GessPosition } from '../env/gess/position.js';
import { NO_RING, ringColumns } from '../env/gess/rings.js';
import type { Action } from '../env/game.js';
import type { Evaluation } from './evaluation.js';

/** What a stone is worth: the unit that the other weights are measured by. */
const STONE = 100;
/** A piece with a stone in its centre goes as far as it likes. */
const LONG_PIECE = 8;
/** A stone within three squares of the ring's centre, the eight of the ring included, shields it. */
const SHIELD = 12;
/** A second ring, so that one may be broken. Further ones add nothing. */
const SPARE_RING = 250;

/** Bits set in a word of 20 bits. */
function countBits(word: number): number {
  let bits = word - ((word >> 1) & 0x55555);
  bits = (bits & 0x33333) + ((bits >> 2) & 0x33333);
  bits = (bits + (bits >> 4)) & 0x0f0f0f;
  return (bits + (bits >> 8) + (bits >> 16)) & 0x1f;
}

/** Stones and long-range pieces of `own`, weighed. */
function force(own: Int32Array, other: Int32Array): number {
  let stones = 0;
  let longPieces = 0;
  for (let index = 2; index < SIZE; index++) {
    const row = own[index]!;
    if (row === 0) continue;
    stones += countBits(row);
    const vertical = own[index - 1]! | own[index + 1]!;
    // A centre stone moves only where another is next to it, and no enemy is.
    const company = vertical | ((vertical | row) << 1) | ((vertical | row) >> 1);
    const enemies = other[index - 1]! | other[index]! | other[index + 1]!;
    longPieces += countBits(row & company & ~(enemies | (enemies << 1) | (enemies >> 1)));
  }
  return stones * STONE + longPieces * LONG_PIECE;
}

/** How safe the ring of `own` that is centred on `ring` is, and whether there is another. */
function ringSafety(own: Int32Array, other: Int32Array, ring: number): number {
  if (ring === NO_RING) return 0;
  const row = Math.floor(ring / SIZE);
  const column = ring - row * SIZE;
  const near = column >= 3 ? 0x7f << (column - 3) : 0x7f >> (3 - column);
  let shield = 0;
  for (let index = Math.max(1, row - 2); index <= Math.min(SIZE, row + 4); index++) {
    shield += countBits(own[index]! & near);
  }
  let rings = 0;
  for (let index = 3; index < SIZE - 1; index++) {
    const columns = ringColumns(own, other, index);
    if (columns !== 0) rings += countBits(columns);
  }
  return shield * SHIELD + (rings > 1 ? SPARE_RING : 0);
}

function strength(position: GessPosition, player: 0 | 1): number {
  const own = position.stones[player];
  const other = position.stones[player === 0 ? 1 : 0];
  return force(own, other) + ringSafety(own, other, position.rings[player]!);
}

/** Stones of the opponent's that `action` takes off, less half of the mover's own; 0 at least. */
function captures(position: GessPosition, action: Action): number {
  const own = position.stones[position.player];
  const other = position.stones[position.player === 0 ? 1 : 0];
  const distance = (action % MAX_DISTANCE) + 1;
  const ray = Math.floor(action / MAX_DISTANCE);
  const row = Math.floor((ray >> 3) / SIZE);
  const column = (ray >> 3) - row * SIZE + distance * COLUMN_STEPS[ray & 7]!;
  const end = row + 1 + distance * ROW_STEPS[ray & 7]!;
  const columns = (7 << column) >> 1;
  const taken = (other[end - 1]! | other[end]! | other[end + 1]!) & columns;
  if (taken === 0) return 0;
  return (
    2 * countBits(other[end - 1]! & columns) +
    2 * countBits(other[end]! & columns) +
    2 * countBits(other[end + 1]! & columns) -
    (distance > 2 ? countBits(own[end]! & columns) : 0)
  );
}

/** Whether the end footprint of `action` meets the opponent's ring. */
function hitsRing(position: GessPosition, action: Action): boolean {
  const ring = position.rings[position.player === 0 ? 1 : 0]!;
  if (ring === NO_RING) return false;
  const ringRow = Math.floor(ring / SIZE);
  const distance = (action % MAX_DISTANCE) + 1;
  const ray = Math.floor(action / MAX_DISTANCE);
  const row = Math.floor((ray >> 3) / SIZE) + distance * ROW_STEPS[ray & 7]!;
  const column = ((ray >> 3) % SIZE) + distance * COLUMN_STEPS[ray & 7]!;
  return Math.abs(row - ringRow) <= 2 && Math.abs(column - (ring - ringRow * SIZE)) <= 2;
}

/**
 * Gess by hand: stones, long-range pieces, the shield of the ring, a spare ring. One stone is 100.
 * Written for the rules alike of all variants.
 */
export const gessEvaluation: Evaluation<GessPosition> = {
  evaluate: (position) =>
    position.player === 0
      ? strength(position, 0) - strength(position, 1)
      : strength(position, 1) - strength(position, 0),
  promise: (position, action) =>
    Math.max(0, captures(position, action)) * 10 + (hitsRing(position, action) ? 500 : 0),
  scale: 400,
};
