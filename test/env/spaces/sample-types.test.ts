import { describe, expect, expectTypeOf, test } from 'vitest';
import { createRng } from '../../../env/random.js';
import { Box } from '../../../env/spaces/box.js';
import { Dict } from '../../../env/spaces/dict.js';
import type { DiscreteSampling } from '../../../env/spaces/discrete.js';
import { Discrete } from '../../../env/spaces/discrete.js';
import type { MultiBinarySampling } from '../../../env/spaces/multi-binary.js';
import { MultiBinary } from '../../../env/spaces/multi-binary.js';
import { MultiDiscrete } from '../../../env/spaces/multi-discrete.js';
import { SeededSpace } from '../../../env/spaces/seeded-space.js';
import type { Sample, SampleOptions } from '../../../env/spaces/space.js';
import { assertContains } from '../../../env/spaces/space.js';
import { Tuple } from '../../../env/spaces/tuple.js';

describe('types', () => {
  const space = new Dict({
    observation: new Box(0, 1, [8]),
    actionMask: new MultiBinary(57600),
    rest: new Tuple([new Discrete(7), new Box(0, 255, [2], 'uint8'), new MultiDiscrete([2, 3])]),
  });

  test('a sample has the type of its space', () => {
    interface Expected {
      readonly observation: Float32Array;
      readonly actionMask: Uint8Array;
      readonly rest: readonly [number, Uint8Array, Int32Array];
    }
    expectTypeOf<Sample<typeof space>>().toEqualTypeOf<Expected>();
    expectTypeOf(space.sample(createRng(1))).toEqualTypeOf<Expected>();
    expectTypeOf(space.spaces.observation).toEqualTypeOf<Box>();
    expectTypeOf<Sample<Box<'float64'>>>().toEqualTypeOf<Float64Array>();
  });

  test('contains narrows to that type', () => {
    const value: unknown = space.sample(createRng(1));
    expect(space.contains(value)).toBe(true);
    if (space.contains(value)) expectTypeOf(value).toEqualTypeOf<Sample<typeof space>>();
    expectTypeOf(space.schema.parse(value)).toEqualTypeOf<Sample<typeof space>>();
    assertContains(space, value);
    expectTypeOf(value).toEqualTypeOf<Sample<typeof space>>();
  });

  test('options of members have the types of the members', () => {
    type Options = SampleOptions<typeof space>;
    expectTypeOf<Options['actionMask']>().toEqualTypeOf<MultiBinarySampling | undefined>();
    expectTypeOf<NonNullable<Options['rest']>[0]>().toEqualTypeOf<DiscreteSampling | undefined>();
    expectTypeOf<Options['observation']>().toEqualTypeOf<undefined>();
    expectTypeOf<Options>().not.toHaveProperty('mask');
  });

  test('the samples of a seeded space have the types of the space', () => {
    const seeded = new SeededSpace(space, 1);
    expectTypeOf(seeded.sample({ rest: [{ legalActions: [3] }] })).toEqualTypeOf<Sample<typeof space>>();
    expect(seeded.sample({ rest: [{ legalActions: [3] }] }).rest[0]).toBe(3);
  });
});
