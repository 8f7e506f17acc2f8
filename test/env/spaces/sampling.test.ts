import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Rng } from '../../../env/random.js';
import { createRng } from '../../../env/random.js';
import { Box } from '../../../env/spaces/box.js';
import { Dict } from '../../../env/spaces/dict.js';
import type { DiscreteSampling } from '../../../env/spaces/discrete.js';
import { Discrete } from '../../../env/spaces/discrete.js';
import { MultiBinary } from '../../../env/spaces/multi-binary.js';
import { MultiDiscrete } from '../../../env/spaces/multi-discrete.js';
import { Tuple } from '../../../env/spaces/tuple.js';
import { thrownBy } from './rejection.js';

const DRAWS = 4000;

/**
 * Pearson's statistic of `DRAWS` draws against shares that sum to 1. With k categories its mean is k - 1 and its
 * standard deviation sqrt(2 (k - 1)).
 */
function chiSquare(draw: () => number, shares: readonly number[]): number {
  const counts = shares.map(() => 0);
  for (let i = 0; i < DRAWS; i++) counts[draw()]!++;
  const terms = counts.map((count, category) => {
    const expected = shares[category]! * DRAWS;
    if (expected === 0) return count === 0 ? 0 : Infinity;
    return (count - expected) ** 2 / expected;
  });
  return terms.reduce((total, term) => total + term, 0);
}

/** Five standard deviations above the mean, for the possible categories. */
function bound(shares: readonly number[]): number {
  const freedom = shares.filter((share) => share > 0).length - 1;
  return freedom + 5 * Math.sqrt(2 * freedom) + 1e-9;
}

/** One sample takes the same numbers from the stream, however the elements are specified. */
function drawWith(space: Discrete, seed: number, options: DiscreteSampling): { drawn: number; rng: Rng } {
  const rng = createRng(seed);
  return { drawn: space.sample(rng, options), rng };
}

const masks = fc
  .array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 30 })
  .filter((mask) => mask.includes(1))
  .map((mask) => Uint8Array.from(mask));

describe('Discrete', () => {
  test('a mask and the equal list sample the same element', () => {
    fc.assert(
      fc.property(masks, fc.integer({ min: -50, max: 50 }), fc.nat(), (mask, start, seed) => {
        const space = new Discrete(mask.length, start);
        const legalActions = [...mask.keys()]
          .filter((index) => mask[index] === 1)
          .map((index) => start + index);
        const byMask = drawWith(space, seed, { mask });
        const byList = drawWith(space, seed, { legalActions });
        expect(legalActions).toContain(byMask.drawn);
        expect(byList.drawn).toBe(byMask.drawn);
        expect(byList.rng.state()).toEqual(byMask.rng.state());
      }),
    );
  });

  test('weights with a mask sample the same as a list of weights', () => {
    const weighted = masks.chain((mask) => {
      const weight = fc.integer({ min: 1, max: 9 });
      return fc.tuple(
        fc.constant(mask),
        fc.array(weight, { minLength: mask.length, maxLength: mask.length }),
      );
    });
    fc.assert(
      fc.property(weighted, fc.nat(), ([mask, weights], seed) => {
        const space = new Discrete(mask.length);
        const legalActions = [...mask.keys()].filter((index) => mask[index] === 1);
        const options = { legalActions, weights: legalActions.map((index) => weights[index]!) };
        const byList = drawWith(space, seed, options).drawn;
        expect(drawWith(space, seed, { mask, weights }).drawn).toBe(byList);
        expect(mask[byList]).toBe(1);
      }),
    );
  });

  test('samples all allowed elements uniformly', () => {
    const shares = [0, 1 / 3, 0, 1 / 3, 1 / 3];
    const space = new Discrete(5);
    const rng = createRng(1);
    const mask = Uint8Array.of(0, 1, 0, 1, 1);
    expect(chiSquare(() => space.sample(rng, { mask }), shares)).toBeLessThan(bound(shares));
    const legalActions = Int32Array.of(1, 3, 4);
    expect(chiSquare(() => space.sample(rng, { legalActions }), shares)).toBeLessThan(bound(shares));
    const all = [0.2, 0.2, 0.2, 0.2, 0.2];
    expect(chiSquare(() => space.sample(rng), all)).toBeLessThan(bound(all));
  });

  test('samples in proportion to weights, whatever their sum', () => {
    const shares = [0.1, 0, 0.2, 0.7];
    const space = new Discrete(4);
    const rng = createRng(2);
    for (const total of [1, 1e-300, 1e300, 12]) {
      const weights = shares.map((share) => share * total);
      expect(chiSquare(() => space.sample(rng, { weights }), shares)).toBeLessThan(bound(shares));
    }
    const legalActions = [0, 3];
    const listed = [0.25, 0, 0, 0.75];
    const draw = (): number => space.sample(rng, { legalActions, weights: Float32Array.of(1, 3) });
    expect(chiSquare(draw, listed)).toBeLessThan(bound(listed));
    // The test detects wrong weights.
    expect(chiSquare(draw, shares)).toBeGreaterThan(bound(shares));
  });

  test('samples by weights at the extremes of the stream', () => {
    const streamOf = (float: number): Rng => ({ integer: () => 0, float: () => float, state: () => [] });
    const draw = (weights: readonly number[], float: number): number => {
      return new Discrete(weights.length).sample(streamOf(float), { weights });
    };
    const last = 1 - 2 ** -53;
    expect([0, 0.5 - 2 ** -53, 0.5, last].map((float) => draw([1, 1], float))).toEqual([0, 0, 1, 1]);
    expect(draw([0, 1, 0], 0)).toBe(1);
    // Subtracting these from their sum one by one leaves a remainder.
    expect(draw([0.000492, 42, 0.000987, 50.3, 0.0327, 7.29, 0], last)).toBe(5);
  });

  test.each<readonly [string, DiscreteSampling]>([
    ['sample-none-allowed', { mask: new Uint8Array(3) }],
    ['sample-none-allowed', { legalActions: [] }],
    ['sample-none-allowed', { weights: [0, 0, 0] }],
    ['sample-none-allowed', { weights: [1, 0, 1], mask: Uint8Array.of(0, 1, 0) }],
    ['sample-options', { mask: Uint8Array.of(1, 1) }],
    ['sample-options', { mask: Uint8Array.of(1, 2, 0) }],
    ['sample-options', { mask: Uint8Array.of(1, 1, 1), legalActions: [0] }],
    ['sample-options', { legalActions: [7] }],
    ['sample-options', { legalActions: [0.5] }],
    ['sample-options', { legalActions: [0, 1], weights: [1] }],
    ['sample-options', { weights: [1, 1] }],
    ['sample-options', { weights: [1, -1, 1] }],
    ['sample-options', { weights: [1, NaN, 1] }],
    ['sample-options', { weights: [1, Infinity, 1] }],
    ['sample-options', { weights: [1e308, 1e308, 1] }],
  ])('%s for %j', (code, options) => {
    expect(thrownBy(() => new Discrete(3).sample(createRng(1), options)).code).toBe(code);
  });
});

describe('MultiBinary', () => {
  const space = new MultiBinary(6);

  test('a mask fixes elements and does not change the others', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(0, 1, 2), { minLength: 6, maxLength: 6 }),
        fc.nat(),
        (given, seed) => {
          const free = space.sample(createRng(seed));
          const masked = space.sample(createRng(seed), { mask: Uint8Array.from(given) });
          expect([...masked]).toEqual(given.map((value, index) => (value === 2 ? free[index] : value)));
        },
      ),
    );
  });

  test('samples by probabilities, 0.5 by default', () => {
    const rng = createRng(3);
    const halves = [0.5, 0.5];
    expect(chiSquare(() => space.sample(rng)[5]!, halves)).toBeLessThan(bound(halves));
    const probabilities = [0, 1, 0.9, 0.5, 0.5, 0.5];
    const shares = [0.1, 0.9];
    expect(chiSquare(() => space.sample(rng, { probabilities })[2]!, shares)).toBeLessThan(bound(shares));
    for (let i = 0; i < 100; i++)
      expect([...space.sample(rng, { probabilities })].slice(0, 2)).toEqual([0, 1]);
  });

  test.each([
    { mask: Uint8Array.of(1) },
    { mask: Uint8Array.of(0, 0, 0, 0, 0, 3) },
    { probabilities: [0.5] },
    { probabilities: [0, 0, 0, 0, 0, 1.5] },
    { probabilities: [0, 0, 0, 0, 0, NaN] },
  ])('rejects %j', (options) => {
    expect(thrownBy(() => space.sample(createRng(1), options)).code).toBe('sample-options');
  });
});

describe('Box', () => {
  const COUNT = 4000;
  const draw = (box: Box<'float64'>): number[] => [...box.sample(createRng(5))];
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = (values: readonly number[]): number => {
    const middle = mean(values);
    return mean(values.map((value) => (value - middle) ** 2));
  };

  // Five standard errors of a mean of `COUNT` values of variance 1 are 0.08.
  test.each<readonly [string, Box<'float64'>, number, number]>([
    ['uniform between bounds', new Box(2, 5, [COUNT], 'float64'), 3.5, 9 / 12],
    ['exponential above a bound', new Box(2, Infinity, [COUNT], 'float64'), 3, 1],
    ['exponential below a bound', new Box(-Infinity, 2, [COUNT], 'float64'), 1, 1],
    ['normal without bounds', new Box(-Infinity, Infinity, [COUNT], 'float64'), 0, 1],
  ])('is %s', (_name, box, expectedMean, expectedVariance) => {
    const values = draw(box);
    expect(Math.abs(mean(values) - expectedMean)).toBeLessThan(0.08);
    expect(Math.abs(variance(values) - expectedVariance)).toBeLessThan(0.25);
  });

  test('samples integers uniformly, including both bounds', () => {
    const shares = [0.25, 0.25, 0.25, 0.25];
    const box = new Box(-1, 2, [1], 'int8');
    const rng = createRng(6);
    expect(chiSquare(() => box.sample(rng)[0]! + 1, shares)).toBeLessThan(bound(shares));
  });

  test('stays within the type if a bound is at its limit', () => {
    const rng = createRng(7);
    const edges = [new Box(126, Infinity, [500], 'int8'), new Box(-Infinity, -127, [500], 'int8')];
    expect(edges.map((box) => [...new Set(box.sample(rng))].sort((a, b) => a - b))).toEqual([
      [126, 127],
      [-128, -127],
    ]);
    const wide = new Box(-Number.MAX_VALUE, Number.MAX_VALUE, [500], 'float64');
    expect(wide.sample(rng).every(Number.isFinite)).toBe(true);
  });
});

describe('nested spaces', () => {
  const pieces = new MultiDiscrete([3, 4]);
  const space = new Dict({ action: new Discrete(9), rest: new Tuple([new MultiBinary(2), pieces]) });

  test('each member takes its own options', () => {
    const mask = Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0, 0);
    const free = space.sample(createRng(1));
    const sample = space.sample(createRng(1), {
      action: { mask },
      rest: [{ mask: Uint8Array.of(1, 2) }, [undefined, { legalActions: [2] }]],
    });
    expect(sample.action).toBe(4);
    expect([...sample.rest[0]]).toEqual([1, free.rest[0][1]]);
    expect(sample.rest[1][1]).toBe(2);
  });

  test('options for an unknown member are an error, so that no mask is ignored', () => {
    const stray = { acton: { mask: new Uint8Array(9) } } as never;
    expect(thrownBy(() => space.sample(createRng(1), stray)).message).toBe(
      'expected options for action, rest, got "acton"',
    );
    const tooMany = [undefined, undefined, undefined] as never;
    expect(thrownBy(() => space.spaces.rest.sample(createRng(1), tooMany)).code).toBe('sample-options');
    expect(thrownBy(() => pieces.sample(createRng(1), tooMany)).code).toBe('sample-options');
  });
});
