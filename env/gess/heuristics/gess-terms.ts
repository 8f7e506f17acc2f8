import { addFields, countBits, fieldSums } from '../../bit-counting.js';
import { COLUMN_STEPS, ROW_STEPS, rowOf, SHORT_DISTANCE, SIZE } from '../gess-board.js';
import type { MoveMasks } from '../movement.js';
import { NO_RING, ringColumns } from '../rings.js';

/** The terms of the evaluation of Gess, each with its own weight (docs/explanation/search.md has the reasons). */
export const TERM_NAMES = [
  'stones',
  'longPieces',
  'longRays',
  'shortRays',
  'spareRing',
  'shield',
  'exposure',
  'escape',
  'advance',
  'attacked',
  'attacking',
] as const;
/** The name of a term. */
export type TermName = (typeof TERM_NAMES)[number];
/** The weight of each term; a stone is 100. */
export type GessWeights = Readonly<Record<TermName, number>>;

/** Counts of one side's stones and pieces, overwritten by every call of `measure`. */
export class GessForces {
  stones = 0;
  /** Pieces with a stone in the centre, which move any distance. */
  longPieces = 0;
  /** Sum over pieces with a centre stone of the directions that they can move in. */
  longRays = 0;
  /** The same for pieces without a centre stone. */
  shortRays = 0;
  /** Sum of the ranks that stones have advanced beyond the own half. */
  advance = 0;

  /**
   * Counts the forces of `own`, the stones of Black or White by `isBlack`, with `pieces` from `prepareMasks`.
   */
  measure(own: Int32Array, pieces: Int32Array, isBlack: boolean): void {
    let stones = 0;
    let longPieces = 0;
    let longRays = 0;
    let rays = 0;
    let advance = 0;
    for (let index = 1; index <= SIZE; index++) {
      const here = own[index]!;
      const bits = countBits(here);
      stones += bits;
      const ranks = isBlack ? index - SIZE / 2 : SIZE / 2 + 1 - index;
      if (ranks > 0) advance += bits * ranks;
      const centers = pieces[index]!;
      if (centers === 0) continue;
      const above = own[index + 1]!;
      const below = own[index - 1]!;
      const north = centers & above;
      const east = centers & (here >> 1);
      const south = centers & below;
      const west = centers & (here << 1);
      const northEast = centers & (above >> 1);
      const southEast = centers & (below >> 1);
      const southWest = centers & (below << 1);
      const northWest = centers & (above << 1);
      rays +=
        addFields(fieldSums(north, east, south)) +
        addFields(fieldSums(west, northEast, southEast)) +
        addFields(fieldSums(southWest, northWest, 0));
      if ((centers & here) === 0) continue;
      longRays +=
        addFields(fieldSums(north & here, east & here, south & here)) +
        addFields(fieldSums(west & here, northEast & here, southEast & here)) +
        addFields(fieldSums(southWest & here, northWest & here, 0));
      longPieces += countBits(
        here & (north | east | south | west | northEast | southEast | southWest | northWest),
      );
    }
    this.stones = stones;
    this.longPieces = longPieces;
    this.longRays = longRays;
    this.shortRays = rays - longRays;
    this.advance = advance;
  }
}

/** Number of stones of `own` within three squares of its ring's centre, including the eight of the ring. */
export function countShield(own: Int32Array, ring: number): number {
  if (ring === NO_RING) return 0;
  const row = rowOf(ring);
  const column = ring - row * SIZE;
  const near = column >= 3 ? 0x7f << (column - 3) : 0x7f >> (3 - column);
  let shield = 0;
  for (let index = Math.max(1, row - 2); index <= Math.min(SIZE, row + 4); index++) {
    shield += countBits(own[index]! & near);
  }
  return shield;
}

/** The number of rings of `own`. */
export function countRings(own: Int32Array, other: Int32Array): number {
  let rings = 0;
  for (let index = 3; index < SIZE - 1; index++) {
    const columns = ringColumns(own, other, index);
    if (columns !== 0) rings += countBits(columns);
  }
  return rings;
}

/** Number of squares, 0 to 24, that the ring can move to and remain a ring. `masks` must be prepared. */
export function countEscapes(masks: MoveMasks, ring: number): number {
  if (ring === NO_RING) return 0;
  let escapes = 0;
  for (let direction = 0; direction < ROW_STEPS.length; direction++) {
    const rowStep = ROW_STEPS[direction]!;
    const columnStep = COLUMN_STEPS[direction]!;
    let index = rowOf(ring) + 1;
    let column = ring % SIZE;
    for (let distance = 1; distance <= SHORT_DISTANCE; distance++) {
      index += rowStep;
      column += columnStep;
      if (index < 3 || index > SIZE - 2 || column < 2 || column > SIZE - 3) break;
      escapes += 1;
      const rowTaken = rowStep === 0 ? 0 : masks.rows[index + rowStep]! >> column;
      const columnTaken = columnStep === 0 ? 0 : masks.columns[index]! >> (column + columnStep);
      if (((rowTaken | columnTaken) & 1) !== 0) break;
    }
  }
  return escapes;
}
