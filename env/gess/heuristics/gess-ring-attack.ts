import { COLUMN_STEPS, encodeAction, ROW_STEPS, rowOf, SHORT_DISTANCE, SIZE } from '../gess-board.js';
import type { MoveMasks, Movement } from '../movement.js';
import { NO_RING } from '../rings.js';

/** A footprint meets a ring's when the centres are at most this many rows and columns apart. */
const MEETING = 2;

/**
 * The squares around a ring, by direction, where a piece that goes in this direction first meets it: as
 * direction, row and column from the ring's centre. Five for each straight direction, nine for each diagonal one.
 */
const ENTRIES = Int32Array.from(
  Array.from(ROW_STEPS, (rowStep, direction) => {
    const columnStep = COLUMN_STEPS[direction]!;
    const entries: number[] = [];
    for (let row = -MEETING; row <= MEETING; row++) {
      for (let column = -MEETING; column <= MEETING; column++) {
        const comesFromOutside = Math.abs(row - rowStep) > MEETING || Math.abs(column - columnStep) > MEETING;
        if (comesFromOutside) entries.push(direction, row, column);
      }
    }
    return entries;
  }).flat(),
);
/** More than the moves that can meet a ring: one from each entry. */
const MAX_ATTACKS = ENTRIES.length / 3;

/**
 * The moves of one side that meet a ring of the other, which they break: the footprint covers one of its
 * stones. Found backwards from the ring, so that nothing is listed; a move that meets a ring ends there
 * (docs/rules.md, 2.3).
 */
export class RingAttack {
  /** `[count]` the moves. Whether the mover's own ring survives is not looked at. */
  readonly actions = new Int32Array(MAX_ATTACKS);
  count = 0;
  /** Free squares on the lines that lead to the ring: how open it lies. */
  exposure = 0;
  private readonly ends: Int32Array;

  constructor({ ends }: Movement) {
    this.ends = ends;
  }

  /** Finds the moves of `own`, for whom `masks` must be prepared, that meet the ring on `ring`, or `NO_RING`. */
  find(masks: MoveMasks, own: Int32Array, ring: number): void {
    this.count = 0;
    this.exposure = 0;
    if (ring === NO_RING) return;
    const index = rowOf(ring) + 1;
    const column = ring % SIZE;
    for (let entry = 0; entry < ENTRIES.length; entry += 3) {
      const endIndex = index + ENTRIES[entry + 1]!;
      const end = endIndex * SIZE + column + ENTRIES[entry + 2]!;
      if (((this.ends[endIndex]! >> (end % SIZE)) & 1) === 0) continue;
      this.followBack(masks, own, ENTRIES[entry]!, end);
    }
  }

  /** Looks for the piece that can go in `direction` to `end`, `index * 20 + column`. */
  private followBack(masks: MoveMasks, own: Int32Array, direction: number, end: number): void {
    const { pieces, rows, columns } = masks;
    const rowStep = ROW_STEPS[direction]!;
    const columnStep = COLUMN_STEPS[direction]!;
    let index = (end / SIZE) | 0;
    let column = end - index * SIZE;
    for (let distance = 1; ; distance++) {
      const isOwnAhead = (own[index]! >> column) & 1;
      index -= rowStep;
      column -= columnStep;
      if (index < 1 || index > SIZE || column < 0 || column >= SIZE) return;
      if ((isOwnAhead & (pieces[index]! >> column)) !== 0) {
        if (distance <= SHORT_DISTANCE || ((own[index]! >> column) & 1) === 1) {
          this.actions[this.count++] = encodeAction(index - 1, column, direction, distance);
        }
        return;
      }
      // Could a piece that comes from further away pass here? See move-generation.ts, `reach`.
      const rowTaken = rowStep === 0 ? 0 : rows[index + rowStep]! >> column;
      const columnTaken = columnStep === 0 ? 0 : columns[index]! >> (column + columnStep);
      if (((rowTaken | columnTaken) & 1) !== 0) return;
      this.exposure += 1;
    }
  }
}
