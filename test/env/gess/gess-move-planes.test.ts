import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gameWithPlanes, listActions, opponentOf, type Player } from '../../../env/game.js';
import { directionOf, endSquare } from '../../../env/gess/gess-board.js';
import { createGess } from '../../../env/gess/gess.js';
import type { GessPosition } from '../../../env/gess/gess-position.js';
import { picks, playPicks } from '../game-picks.js';

const gess = createGess();
const seen = gameWithPlanes(gess, true)!;
const [PLAIN, ALL] = [20, 24];

function observe(game: typeof gess, state: GessPosition, viewer?: Player): Float32Array {
  const out = new Float32Array(400 * game.observationShape[2]);
  game.observe(state, out, 0, viewer);
  return out;
}

/** `[400, planes]` the planes from `first` up to `last`. */
function planesOf(out: Float32Array, first: number, last: number): number[][] {
  return Array.from({ length: 400 }, (_, square) => [
    ...out.subarray(square * ALL + first, square * ALL + last),
  ]);
}

/** The counts of the planes of moves, made from a list of the mover's legal moves. */
function countEnds(state: GessPosition): number[][] {
  const ends = Array.from({ length: 400 }, () => [0, 0]);
  for (const action of listActions(gess, state)) {
    const move = gess.policyIndex(state.player, action);
    ends[endSquare(move)]![directionOf(move) % 2]! += 1 / 4;
  }
  return ends;
}

test('the planes of a game and those of moves, of both players', () => {
  fc.assert(
    fc.property(picks, (moves) => {
      const state = playPicks(gess, moves);
      fc.pre(gess.outcome(state) === null);
      const out = observe(seen, state);
      const plain = observe(gess, state);
      expect(planesOf(out, 0, PLAIN).flat()).toEqual([...plain]);
      expect(planesOf(out, PLAIN, PLAIN + 2)).toEqual(countEnds(state));
      // The opponent's moves are the opponent's own if the opponent is to move.
      const passed = { ...gess.clone(state), player: opponentOf(state.player) };
      expect(planesOf(observe(seen, passed), PLAIN, PLAIN + 2)).toEqual(countEnds(passed));
      const fromOther = observe(seen, state, passed.player);
      expect(planesOf(fromOther, PLAIN, ALL)).toEqual(planesOf(observe(seen, passed), PLAIN, ALL));
    }),
    { numRuns: 30 },
  );
});

test('the encoding describes the planes of moves behind those of the game', () => {
  expect(seen.encoding.planes).toHaveLength(ALL);
  expect(seen.encoding.planes.slice(0, PLAIN)).toEqual(gess.encoding.planes);
  expect(gameWithPlanes(seen, true)!.observationShape).toEqual(seen.observationShape);
  expect(gameWithPlanes(seen, false).observationShape).toEqual(gess.observationShape);
});
