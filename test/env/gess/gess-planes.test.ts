import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listActions } from '../../../env/game.js';
import { createGess } from '../../../env/gess/gess.js';
import { positionAfter } from '../../../env/replay/replay.js';
import { picks, playPicks } from '../game-picks.js';
import { exchangeColors } from './gess-boards.js';

const gess = createGess();

function observe(text: string): Float32Array {
  const out = new Float32Array(8000);
  gess.observe(gess.parsePosition(text), out, 0);
  return out;
}

/** Names of the squares where a plane is 1, as the mover numbers them. */
function squaresOf(out: Float32Array, plane: number): string[] {
  const names: string[] = [];
  for (let square = 0; square < 400; square++) {
    if (out[square * 20 + plane] === 1)
      names.push(`${'abcdefghijklmnopqrst'.charAt(square % 20)}${Math.floor(square / 20) + 1}`);
  }
  return names;
}

describe('planes', () => {
  test('the start shows stones, board and rings', () => {
    const out = observe(gess.formatPosition(gess.initialState()));
    expect(squaresOf(out, 0)).toHaveLength(43);
    expect(squaresOf(out, 1)).toHaveLength(43);
    expect(squaresOf(out, 2)).toHaveLength(324);
    expect(squaresOf(out, 3)).toEqual(['k2', 'l2', 'm2', 'k3', 'l3', 'm3', 'k4', 'l4', 'm4']);
    expect(squaresOf(out, 4)).toEqual(['k17', 'l17', 'm17', 'k18', 'l18', 'm18', 'k19', 'l19', 'm19']);
    expect([5, 6, 7, 8, 9, 10, 11].map((plane) => squaresOf(out, plane).length)).toEqual([
      0, 0, 0, 0, 0, 0, 0,
    ]);
    expect([12, 13, 14, 15, 16, 17, 18, 19].map((plane) => out[plane])).toEqual([1, 1, 0, 0, 0, 0, 0, 0]);
  });

  test('the last two moves are shown from the mover’s side', () => {
    const state = positionAfter(gess, { moves: 'f6-f7 r15-r14' });
    const out = new Float32Array(8000);
    gess.observe(state, out, 0);
    expect(squaresOf(out, 5)).toHaveLength(9);
    expect(squaresOf(out, 5)[4]).toBe('r15');
    expect(squaresOf(out, 6)[4]).toBe('r14');
    expect(squaresOf(out, 7)[4]).toBe('f6');
    expect(squaresOf(out, 8)[4]).toBe('f7');
    gess.observe(state, out, 0, 1);
    expect(squaresOf(out, 5)[4]).toBe('r6');
    expect(squaresOf(out, 8)[4]).toBe('f14');
    expect([out[9], out[10]]).toEqual([Math.fround(2 / 256), Math.fround(2 / 300)]);
  });

  test.each([
    ['wikipedia', [1, 1, 1, 0, 0, 0, 0, 0]],
    ['gach', [1, 1, 0, 1, 0, 0, 0, 0]],
    ['wikipedia,edge=strict', [1, 1, 0, 0, 1, 0, 0, 0]],
    ['osu', [0, 0, 0, 0, 0, 1, 0, 0]],
  ])('rules %s have their own planes', (rules, expected) => {
    const game = createGess({ rules });
    const out = new Float32Array(8000);
    game.observe(game.initialState(), out, 0);
    expect([...out.subarray(12, 20)]).toEqual(expected);
  });

  test('a repeated board is marked until the next move', () => {
    const there = ['c6-c7', 'c15-c14', 'c9-c8', 'c12-c13'];
    const marks = [0, 1, 2, 3, 4, 5].map((count) => {
      const state = positionAfter(gess, { moves: [...there, 'f6-f7'].slice(0, count).join(' ') });
      const out = new Float32Array(8000);
      gess.observe(state, out, 0);
      return out[11];
    });
    expect(marks).toEqual([0, 0, 0, 0, 1, 0]);
  });

  test('the other side sees the same with colours exchanged', () => {
    fc.assert(
      fc.property(picks, (numbers) => {
        const text = gess.formatPosition(playPicks(gess, numbers));
        const here = gess.parsePosition(text);
        const there = gess.parsePosition(exchangeColors(text));
        expect(
          Buffer.from(observe(exchangeColors(text)).buffer).equals(Buffer.from(observe(text).buffer)),
        ).toBe(true);
        const indices = (state: typeof here): number[] =>
          [...listActions(gess, state)]
            .map((action) => gess.policyIndex(state.player, action))
            .sort((a, b) => a - b);
        expect(indices(there)).toEqual(indices(here));
        expect(gess.outcome(there)).toBe(gess.outcome(here) === null ? null : -gess.outcome(here)!);
      }),
      { numRuns: 20 },
    );
  });
});
