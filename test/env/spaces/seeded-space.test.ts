import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Discrete } from '../../../env/spaces/discrete.js';
import { SeededSpace } from '../../../env/spaces/seeded-space.js';
import { anySpace } from './any-space.js';
import { thrownBy } from './rejection.js';

const seeds = fc.nat();

describe('SeededSpace', () => {
  test('the seed restarts the stream', () => {
    fc.assert(
      fc.property(anySpace, seeds, (space, seed) => {
        const seeded = new SeededSpace(space, seed);
        const samples = [seeded.sample(), seeded.sample()];
        seeded.seed(seed);
        expect([seeded.sample(), seeded.sample()]).toEqual(samples);
      }),
    );
  });

  test('continues from a stored state', () => {
    fc.assert(
      fc.property(anySpace, seeds, (space, seed) => {
        const seeded = new SeededSpace(space, seed);
        seeded.sample();
        const state = JSON.parse(JSON.stringify(seeded.state())) as number[];
        const next = seeded.sample();
        const other = new SeededSpace(space, 0);
        other.restore(state);
        expect(other.sample()).toEqual(next);
      }),
    );
  });

  test('rejects invalid seeds and states', () => {
    const seeded = new SeededSpace(new Discrete(9), 1);
    for (const seed of [-1, 0.5, NaN, 2 ** 53]) {
      const error = thrownBy(() => {
        seeded.seed(seed);
      });
      expect(error.code).toBe('random-state');
    }
    for (const state of [[], [1, 2, 3], [1, 2, 3, 0.5], [0, 0, 0, 0], [1, 2, 3, 2 ** 40]]) {
      const error = thrownBy(() => {
        seeded.restore(state);
      });
      expect(error.code).toBe('random-state');
    }
  });
});
