import { addFields, countBits, fieldSums } from '../../bit-counting.js';
import { COLUMN_STEPS, ROW_STEPS, rowOf, SHORT_DISTANCE, SIZE } from '../gess-board.js';
import type { MoveMasks } from '../movement.js';
import { NO_RING, ringColumns } from '../rings.js';

/** What the evaluation of Gess adds up, each weighed by a weight of its own (docs/search.md has their reasons). */
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
/** What one of each term is worth; a stone is 100. */
export type GessWeights = Readonly<Record<TermName, number>>;

/** Numbers of one side's stones and pieces; made anew by every call of `measure`. */
export class GessForces {
  stones = 0;
  /** Pieces with a stone in the centre: they go any distance. */
  longPieces = 0;
  /** Directions that pieces with a centre stone can go in, added up. */
  longRays = 0;
  /** The same for pieces without one. */
  shortRays = 0;
  /** Ranks that stones stand beyond the own half, added up. */
  advance = 0;

  /** Counts the forces of `own`, who `isBlack` or not, with `pieces` as `prepareMasks` makes them. */
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

/** Stones of `own` within three squares of its ring's centre, the eight of the ring included. */
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

/** How many rings `own` has. */
export function countRings(own: Int32Array, other: Int32Array): number {
  let rings = 0;
  for (let index = 3; index < SIZE - 1; index++) {
    const columns = ringColumns(own, other, index);
    if (columns !== 0) rings += countBits(columns);
  }
  return rings;
}

/** Squares that the ring itself can go to and still be one, 0 to 24; `masks` must be prepared. */
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
