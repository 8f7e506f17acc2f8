import { expect, test } from 'vitest';
import { createRng } from '../../env/random.js';

const INVALID: readonly unknown[] = [
  undefined,
  null,
  NaN,
  Infinity,
  'x',
  '3',
  0,
  -1,
  0.5,
  2 ** 31 + 1,
  2n,
  Symbol(),
];

test('a random integer needs a bound of 1 to 2^31; the stream is unchanged by others', () => {
  const rng = createRng(1);
  const before = rng.state();
  for (const bound of INVALID as readonly number[]) {
    expect(() => rng.integer(bound)).toThrow(expect.objectContaining({ code: 'random-bound' }) as Error);
  }
  expect(rng.state()).toEqual(before);
  expect(rng.integer(1)).toBe(0);
  expect(rng.integer(2 ** 31)).toBeLessThan(2 ** 31);
});
