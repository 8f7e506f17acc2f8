import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { createRng } from '../../../env/random.js';
import type { Batch } from '../../../env/spaces/batch.js';
import {
  batchSpace,
  createBatch,
  sampleOfBatch,
  viewOfBatch,
  writeBatch,
  writeSample,
} from '../../../env/spaces/batch.js';
import { Box } from '../../../env/spaces/box.js';
import { Dict } from '../../../env/spaces/dict.js';
import { Discrete } from '../../../env/spaces/discrete.js';
import { MultiBinary } from '../../../env/spaces/multi-binary.js';
import { Tuple } from '../../../env/spaces/tuple.js';
import { anySpace } from './any-space.js';
import { rejection } from './rejection.js';

describe('a batch of any space', () => {
  test('is in its space, and returns the samples', () => {
    fc.assert(
      fc.property(anySpace, fc.integer({ min: 1, max: 4 }), fc.nat(), (space, count, seed) => {
        const rng = createRng(seed);
        const samples = Array.from({ length: count }, () => space.sample(rng));
        const batch = createBatch(space, count);
        samples.forEach((sample, index) => {
          writeSample(space, sample, batch, index);
        });
        expect(rejection(batchSpace(space, count), batch)).toBeUndefined();
        expect(samples.map((_, index) => sampleOfBatch(space, batch, index))).toEqual(samples);
        expect(samples.map((_, index) => viewOfBatch(space, batch, index))).toEqual(samples);
      }),
    );
  });

  test('is joined from parts', () => {
    fc.assert(
      fc.property(anySpace, fc.integer({ min: 1, max: 3 }), fc.nat(), (space, count, seed) => {
        const rng = createRng(seed);
        const whole = createBatch(space, 2 * count);
        const parts = [0, 1].map((half) => {
          const part = createBatch(space, count);
          for (let index = 0; index < count; index++) {
            const sample = space.sample(rng);
            writeSample(space, sample, part, index);
            writeSample(space, sample, whole, half * count + index);
          }
          return part;
        });
        const joined = createBatch(space, 2 * count);
        parts.forEach((part, half) => {
          writeBatch(space, part, joined, half * count);
        });
        expect(joined).toEqual(whole);
      }),
    );
  });
});

test('a view of a sample changes with its batch, a copy does not', () => {
  const space = new Dict({ planes: new Box(0, 1, [2]), mask: new MultiBinary(3) });
  const batch = createBatch(space, 2);
  const [copy, view] = [sampleOfBatch(space, batch, 1), viewOfBatch(space, batch, 1)];
  const sample = { planes: Float32Array.of(0.5, 1), mask: Uint8Array.of(0, 1, 1) };
  writeSample(space, sample, batch, 1);
  expect(view).toEqual(sample);
  expect(copy).toEqual({ planes: new Float32Array(2), mask: new Uint8Array(3) });
});

test('batches have Gymnasium\u2019s spaces', () => {
  const space = new Dict({
    planes: new Box(0, 1, [2, 3]),
    pair: new Tuple([new Discrete(5, 2), new MultiBinary(4), new Box([0, -1], [1, 1])]),
  });
  expect(String(batchSpace(space, 2))).toBe(
    'Dict(pair: Tuple(MultiDiscrete([5, 5], start=[2, 2]), MultiBinary([2, 4]), ' +
      'Box([0, -1, 0, -1], 1, [2, 2], float32)), planes: Box(0, 1, [2, 2, 3], float32))',
  );
  expect(() => batchSpace(new Discrete(2, 2 ** 40), 2)).toThrow(
    expect.objectContaining({ code: 'space-count' }),
  );
});

test('types follow', () => {
  expectTypeOf<Batch<number>>().toEqualTypeOf<Int32Array>();
  expectTypeOf<Batch<Float32Array>>().toEqualTypeOf<Float32Array>();
  expectTypeOf<Batch<{ readonly a: number; readonly b: Uint8Array }>>().toEqualTypeOf<{
    readonly a: Int32Array;
    readonly b: Uint8Array;
  }>();
  expectTypeOf<Batch<unknown>>().toEqualTypeOf<unknown>();
});
