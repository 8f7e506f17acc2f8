import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NumberSet } from '../../../data/datasets/number-set.js';

/** Numbers that are close to each other, far from each other, or both. */
const numbers = fc.oneof(
  fc.nat(0xffff_ffff),
  fc.nat(400),
  fc.nat(1000).map((number) => 0xffff_ffff - number),
);

test('finds the numbers that were added before', () => {
  fc.assert(
    fc.property(fc.array(numbers, { maxLength: 2000, size: 'max' }), (added) => {
      const [set, known] = [new NumberSet(), new Set<number>()];
      for (const number of added) {
        expect(set.add(number)).toBe(!known.has(number));
        known.add(number);
      }
    }),
    { numRuns: 20 },
  );
});

test('takes little memory for numbers far from each other, as in a forged file', () => {
  const set = new NumberSet();
  const before = process.memoryUsage().arrayBuffers;
  for (let index = 0; index < 50_000; index++) set.add(index * 2 ** 15);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20);
});
