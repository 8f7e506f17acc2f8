import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../data/files/sealed-json.js';
import { createRng } from '../../../env/random.js';
import { PORTABLE_MATH, usePortableMath } from '../../../training/self-play/portable-math.js';

const NUMBERS = 20_000;

/** Arguments of each function, and the SHA-256 of its results, which is the same in every engine. */
const CASES: Readonly<Record<keyof typeof PORTABLE_MATH, readonly [readonly [number, number][], string]>> = {
  exp: [[[-750, 712]], 'bea885af82a84f13b2964a14fae661a451eefc4ea59b98fa22f523ca3ac17a5a'],
  log: [[[0, 8]], 'e1668f8d23b901c6e2181a6f38cb5b64bf69c5679cefd1239bfad2d320fdfc48'],
  cos: [[[0, 2 * Math.PI]], '8a515b550928694e2e239aa19bac928fc17af6229e7d7488dc8b7ddc93c07eaa'],
  pow: [
    [
      [0, 8],
      [-60, 60],
    ],
    '8fc5b192b1930b9a147348bb0b3612b2aaa762a12ec3895cf5d5844026ae89cf',
  ],
};

/** The function of any number of arguments. */
function applied(of: object, name: string, inputs: readonly number[]): number {
  return (of as Readonly<Record<string, (...values: readonly number[]) => number>>)[name]!(...inputs);
}

describe.each(Object.entries(CASES))('the portable %s', (name, [ranges, digest]) => {
  const rng = createRng(0, 'portable', name);
  const inputs = Array.from({ length: NUMBERS }, () =>
    ranges.map(([least, most]) => least + rng.float() * (most - least)),
  );
  const found = Float64Array.from(inputs, (each) => applied(PORTABLE_MATH, name, each));

  test('has the same bits in every engine', () => {
    expect(sha256(new Uint8Array(found.buffer))).toBe(digest);
  });

  test("is within two units of the last place of the engine's", () => {
    for (const [index, each] of inputs.entries()) {
      const expected = applied(Math, name, each);
      const unit = Math.max(Math.abs(expected) * Number.EPSILON, Number.MIN_VALUE);
      if (found[index] !== expected)
        expect(Math.abs(found[index]! - expected) / unit, `${name}(${each.join()})`).toBeLessThanOrEqual(2);
    }
  });
});

test('the portable functions have the values that the language prescribes', () => {
  const { exp, log, pow, cos } = PORTABLE_MATH;
  const given = [0, -0, 1, -1, 2, 0.5, -2, 3, Infinity, -Infinity, NaN, 1e308, -1e308, 5e-324];
  for (const x of given) {
    if (Math.abs(x) !== 2 && x !== 3) expect(exp(x), `exp(${x})`).toBe(Math.exp(x));
    expect(log(x), `log(${x})`).toBe(Math.log(x));
    for (const y of given) expect(pow(x, y), `pow(${x}, ${y})`).toBe(Math.pow(x, y));
  }
  expect(cos(0)).toBe(1);
});

test('the functions of the engine come back', () => {
  const before = { ...PORTABLE_MATH, exp: Math.exp, pow: Math.pow };
  const restore = usePortableMath();
  expect(Math.exp).toBe(PORTABLE_MATH.exp);
  restore();
  expect(Math.exp).toBe(before.exp);
  expect(Math.pow).toBe(before.pow);
});
