import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sparseBatch, writeSparseBatch } from '../../../../env/environments/vector/sparse-arrays.js';
import { createRng } from '../../../../env/random.js';
import { createBatch, writeBatch, writeSample } from '../../../../env/spaces/batch.js';
import { Box } from '../../../../env/spaces/box.js';
import { Dict } from '../../../../env/spaces/dict.js';
import { MultiBinary } from '../../../../env/spaces/multi-binary.js';
import { anySpace } from '../../spaces/any-space.js';

const MASKS = new Dict({ mask: new MultiBinary(14), planes: new Box(-1, 1, [2, 2]) });

test('parts of any batch, sparse or dense, are written to their places', () => {
  const spaces = fc.oneof(anySpace, fc.constant(MASKS));
  const counts = fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 4 }), fc.nat(2));
  fc.assert(
    fc.property(spaces, counts, fc.nat(), (space, [before, length, after], seed) => {
      const rng = createRng(seed);
      const count = before + length + after;
      const [found, expected] = [createBatch(space, count), createBatch(space, count)];
      for (const batch of [found, expected]) {
        const filling = createRng(seed, 'before');
        for (let index = 0; index < count; index++) writeSample(space, space.sample(filling), batch, index);
      }
      const part = createBatch(space, length);
      for (let index = 0; index < length; index++) {
        if (rng.integer(3) === 0) writeSample(space, space.sample(rng), part, index);
      }
      writeBatch(space, part, expected, before);
      writeSparseBatch(structuredClone(sparseBatch(part)), found, { first: before, count });
      expect(found).toStrictEqual(expected);
    }),
  );
});

test('zeros are not sent, and -0 does not count as zero', () => {
  const mask = new Uint8Array(400);
  mask[17] = 1;
  expect(sparseBatch({ mask })).toEqual({
    mask: { kind: 'sparse', numWords: 100, indices: Uint32Array.of(4), words: Uint32Array.of(256) },
  });
  const numbers = new Float64Array(50);
  numbers[7] = -0;
  const found = new Float64Array(50);
  writeSparseBatch(sparseBatch(numbers), found, { first: 0, count: 1 });
  expect(Object.is(found[7], -0)).toBe(true);
  const full = new Float32Array(8).fill(1);
  expect(sparseBatch([full])).toEqual([full]);
});
