import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countOnes, findOutside, indexOfOne } from '../../../env/spaces/mask.js';

/** Elements at any offset in a buffer, so that masks have all alignments. */
const masks = fc
  .tuple(fc.array(fc.constantFrom(0, 0, 0, 1), { maxLength: 200 }), fc.nat(9))
  .map(([elements, offset]) => {
    const buffer = new Uint8Array(offset + elements.length + 5).fill(1);
    buffer.set(elements, offset);
    return buffer.subarray(offset, offset + elements.length);
  });

test('ones are counted, and found by their number', () => {
  fc.assert(
    fc.property(masks, (mask) => {
      const ones = Array.from(mask.keys()).filter((index) => mask[index] === 1);
      expect(countOnes(mask)).toBe(ones.length);
      expect(ones.map((_, number) => indexOfOne(mask, number))).toEqual(ones);
    }),
    { numRuns: 300 },
  );
});

test('elements that are neither 0 nor 1 are found', () => {
  fc.assert(
    fc.property(masks, fc.nat(), fc.integer({ min: 2, max: 255 }), (mask, place, element) => {
      fc.pre(mask.length > 0);
      const index = place % mask.length;
      mask[index] = element;
      expect(countOnes(mask)).toBe(-1);
      expect(findOutside(mask)).toBe(index);
    }),
    { numRuns: 300 },
  );
});
