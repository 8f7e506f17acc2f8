import { COLUMN_STEPS, encodeAction, ROW_STEPS, rowOf, SHORT_DISTANCE, SIZE } from '../gess-board.js';
import type { MoveMasks, Movement } from '../movement.js';
import { NO_RING } from '../rings.js';

/** A footprint overlaps a ring's if the centres are at most this many rows and columns apart. */
const MEETING = 2;

/**
 * The squares around a ring where a piece moving in a direction first meets it: triples of direction, row and
 * column from the ring's centre. Five for each straight direction, nine for each diagonal one.
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
/** Upper bound of the number of moves that meet a ring: one from each entry. */
const MAX_ATTACKS = ENTRIES.length / 3;

/**
 * The moves of one side that meet, and so break, a ring of the other: the footprint covers one of its stones.
 * Found backwards from the ring, without listing moves; a move that meets a ring ends there (docs/reference/rules.md,
 * 2.3).
 */
export class RingAttack {
  /** `[count]` the moves, including those that break the mover's own ring. */
  readonly actions = new Int32Array(MAX_ATTACKS);
  count = 0;
  /** The exposure of the ring: number of free squares on the lines that lead to it. */
  exposure = 0;
  private readonly ends: Int32Array;

  constructor({ ends }: Movement) {
    this.ends = ends;
  }

  /**
   * Finds the moves of `own` that meet the ring on `ring`, or none for `NO_RING`. `masks` must be prepared
   * for `own`.
   */
  find(masks: MoveMasks, own: Int32Array, ring: number): void {
    this.count = 0;
    this.exposure = 0;
    if (ring === NO_RING) return;
    const index = rowOf(ring) + 1;
    const column = ring % SIZE;
    for (let entry = 0; entry < ENTRIES.length; entry += 3) {
      const endIndex = index + ENTRIES[entry + 1]!;
      const endColumn = column + ENTRIES[entry + 2]!;
      if (((this.ends[endIndex]! >> endColumn) & 1) === 0) continue;
      this.followBack(masks, own, ENTRIES[entry]!, endIndex, endColumn);
    }
  }

  /** Finds the piece that can go in `direction` to (`index`, `column`). */
  // eslint-disable-next-line max-params -- dozens of calls a node; a square as one number costs two divisions each
  private followBack(
    masks: MoveMasks,
    own: Int32Array,
    direction: number,
    index: number,
    column: number,
  ): void {
    const { pieces, rows, columns } = masks;
    const rowStep = ROW_STEPS[direction]!;
    const columnStep = COLUMN_STEPS[direction]!;
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
      // Whether a piece from further away can pass here: see `reach` in gess-move-generation.ts.
      const rowTaken = rowStep === 0 ? 0 : rows[index + rowStep]! >> column;
      const columnTaken = columnStep === 0 ? 0 : columns[index]! >> (column + columnStep);
      if (((rowTaken | columnTaken) & 1) !== 0) return;
      this.exposure += 1;
    }
  }
}
