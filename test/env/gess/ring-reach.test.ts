import { expect, test } from 'vitest';
import { createGess } from '../../../env/gess/gess.js';
import {
  COLUMN_STEPS,
  directionOf,
  distanceOf,
  NUM_ACTIONS,
  ROW_STEPS,
  rowOf,
  SIZE,
  startSquare,
} from '../../../env/gess/gess-board.js';
import { reachesRing } from '../../../env/gess/gess-moves.js';

/** Rings in corners, at edges and inside. */
const RINGS = [21, 38, 42, 189, 210, 361, 378];

test('a move reaches a ring if its last footprint overlaps it, also where it ends off the squares', () => {
  const position = createGess().initialState();
  for (const ring of RINGS) {
    position.rings[1] = ring;
    const wrong: number[] = [];
    for (let action = 0; action < NUM_ACTIONS; action++) {
      const start = startSquare(action);
      const row = rowOf(start) + distanceOf(action) * ROW_STEPS[directionOf(action)]!;
      const column = (start % SIZE) + distanceOf(action) * COLUMN_STEPS[directionOf(action)]!;
      const overlaps = Math.abs(row - rowOf(ring)) <= 2 && Math.abs(column - (ring % SIZE)) <= 2;
      if (reachesRing(position, action) !== overlaps) wrong.push(action);
    }
    expect(wrong).toEqual([]);
  }
});
