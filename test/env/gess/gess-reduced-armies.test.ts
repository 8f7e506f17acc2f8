import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createGess } from '../../../env/gess/gess.js';
import { START_TEXT } from '../../../env/gess/position-notation.js';
import { reducedStart } from '../../../env/gess/reduced-armies.js';
import { createRng } from '../../../env/random.js';
import { exchangeColors, stonesOf } from './gess-boards.js';

const START = stonesOf(START_TEXT);
/** The number of stones outside the ring at the start. */
const REMOVABLE = 35;

function key({ color, square }: (typeof START)[number]): string {
  return `${color}${square}`;
}

test('a reduced start lacks equally many stones of both colours, and is legal under all rules', () => {
  const games = ['eureka', 'wikipedia', 'gach', 'sgf', 'osu', 'osu,ko=superko'].map((rules) =>
    createGess({ rules }),
  );
  const starting = new Set(START.map(key));
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(), (share, seed) => {
      const removed = Math.min(REMOVABLE, Math.round(share * 43));
      const text = reducedStart(share, createRng(seed));
      expect(text === null).toBe(removed === 0);
      if (text === null) return;
      const stones = stonesOf(text);
      expect(stones.length).toBe(START.length - 2 * removed);
      for (const stone of stones) expect(starting).toContain(key(stone));
      // The other player would see the same.
      expect(exchangeColors(text).split(' ')[0]).toBe(text.split(' ')[0]);
      for (const game of games) {
        for (const side of [text, exchangeColors(text)]) {
          const state = game.parsePosition(side);
          expect(game.outcome(state)).toBeNull();
          expect(game.countLegalActions(state)).toBeGreaterThan(0);
          const { rings } = game.describe!(state) as { rings: { black: string[]; white: string[] } };
          expect(rings.black).toContain('l3');
          expect(rings.white).toContain('l18');
        }
      }
    }),
    { numRuns: 60, seed: 1 },
  );
});

test('removed stones are random: each is removed in some positions, and kept in others', () => {
  const seen = new Map<string, number>();
  const runs = 200;
  for (let seed = 0; seed < runs; seed++) {
    for (const stone of stonesOf(reducedStart(0.4, createRng(seed))!)) {
      seen.set(key(stone), (seen.get(key(stone)) ?? 0) + 1);
    }
  }
  const always = START.filter((stone) => seen.get(key(stone)) === runs);
  expect(always.length).toBe(16);
  // 17 of 35 are removed: each stays in 103 of 200 positions on average, with a standard deviation of 7.
  for (const stone of START) expect(seen.get(key(stone))).toBeGreaterThan(65);
});
