import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RunConfig } from '../../../training/config/run-config.js';
import { SelfPlayConfig } from '../../../training/config/self-play-config.js';
import { grownSettings, simulationsAt } from '../../../training/self-play/search-growth.js';

const growing = fc
  .record({
    root: fc.constantFrom('puct', 'gumbel'),
    simulations: fc.integer({ min: 1, max: 2000 }),
    from: fc.integer({ min: 1, max: 2000 }),
    generations: fc.integer({ min: 1, max: 40 }),
    cheapSimulations: fc.integer({ min: 1, max: 100 }),
  })
  .map(({ root, simulations, from, generations, cheapSimulations }) =>
    SelfPlayConfig.parse({
      search: { root, simulations: Math.max(simulations, from) },
      growth: { from: Math.min(simulations, from), generations },
      cheapSimulations,
    }),
  );

describe('searches that grow', () => {
  test('grow from the first number to the last by the same factor in each generation', () => {
    fc.assert(
      fc.property(growing, (settings) => {
        const { growth, search } = settings;
        const all = Array.from({ length: growth.generations + 3 }, (_, index) =>
          simulationsAt(settings, index),
        );
        expect(all[0]).toBe(growth.from);
        expect(all.slice(growth.generations)).toEqual([
          search.simulations,
          search.simulations,
          search.simulations,
        ]);
        const factor = (search.simulations / growth.from) ** (1 / growth.generations);
        for (const [index, simulations] of all.entries()) {
          expect(Number.isInteger(simulations)).toBe(true);
          if (index === 0 || index > growth.generations) continue;
          expect(simulations).toBeGreaterThanOrEqual(all[index - 1]!);
          // Either is at most a half away from the sequence itself.
          expect(Math.abs(simulations - all[index - 1]! * factor)).toBeLessThanOrEqual(
            (1 + factor) / 2 + 1e-6,
          );
        }
      }),
      { numRuns: 200 },
    );
  });

  test('double after equal numbers of generations', () => {
    const settings = SelfPlayConfig.parse({
      search: { simulations: 128 },
      growth: { from: 16, generations: 6 },
    });
    expect([0, 2, 4, 6, 100].map((index) => simulationsAt(settings, index))).toEqual([16, 32, 64, 128, 128]);
  });

  test('change nothing else, and cheap searches are never longer than full ones', () => {
    fc.assert(
      fc.property(growing, fc.nat(45), (settings, index) => {
        const grown = grownSettings(settings, index);
        const simulations = simulationsAt(settings, index);
        expect(grown.search).toEqual({ ...settings.search, simulations });
        expect({ ...grown, search: null, cheapSimulations: null }).toEqual({
          ...settings,
          search: null,
          cheapSimulations: null,
        });
        expect(grown.cheapSimulations).toBeLessThanOrEqual(settings.cheapSimulations);
        if (simulations < settings.search.simulations) {
          expect(grown.cheapSimulations).toBe(Math.min(settings.cheapSimulations, simulations));
        } else expect(grown).toBe(settings);
      }),
      { numRuns: 200 },
    );
  });

  test('do not grow by default, and cannot shrink', () => {
    const settings = SelfPlayConfig.parse({ search: { simulations: 8 } });
    expect(grownSettings(settings, 0)).toBe(settings);
    const selfPlay = { search: { simulations: 8 }, growth: { from: 9, generations: 1 } };
    expect(RunConfig.safeParse({ selfPlay }).error?.issues[0]?.path).toEqual(['selfPlay', 'growth', 'from']);
    expect(RunConfig.safeParse({ selfPlay: { search: { simulations: 8 } } }).success).toBe(true);
  });
});
