import fc from 'fast-check';
import { Box } from '../../../env/spaces/box.js';
import { Dict } from '../../../env/spaces/dict.js';
import { Discrete } from '../../../env/spaces/discrete.js';
import type { Dtype } from '../../../env/spaces/dtype.js';
import { DTYPE_NAMES, DTYPES } from '../../../env/spaces/dtype.js';
import { MultiBinary } from '../../../env/spaces/multi-binary.js';
import { MultiDiscrete } from '../../../env/spaces/multi-discrete.js';
import { sizeOfShape } from '../../../env/spaces/shape.js';
import type { Space } from '../../../env/spaces/space.js';
import { Tuple } from '../../../env/spaces/tuple.js';

const shape = fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 });

/** A number of the element type, small or extreme. */
function finite(dtype: Dtype): fc.Arbitrary<number> {
  const { min, max, isInteger } = DTYPES[dtype];
  if (isInteger) {
    const near = fc.integer({ min: Math.max(min, -5), max: 5 });
    return fc.oneof(near, fc.integer({ min, max }), fc.constantFrom(min, max));
  }
  const near = fc.integer({ min: -5, max: 5 });
  const spread =
    dtype === 'float32'
      ? fc.float({ noNaN: true, noDefaultInfinity: true })
      : fc.double({ noNaN: true, noDefaultInfinity: true });
  return fc.oneof(near, spread, fc.constantFrom(min, max));
}

/** A pair of bounds; either may be infinite if the type allows it. */
function interval(dtype: Dtype): fc.Arbitrary<readonly [number, number]> {
  const isUnsigned = DTYPES[dtype].min === 0;
  const sides = isUnsigned ? fc.constant([true, true]) : fc.tuple(fc.boolean(), fc.boolean());
  return fc.tuple(finite(dtype), finite(dtype), sides).map(([one, other, [below, above]]) => {
    return [below ? Math.min(one, other) : -Infinity, above ? Math.max(one, other) : Infinity];
  });
}

const anyBox = fc.constantFrom(...DTYPE_NAMES).chain((dtype) => {
  const uniform = fc
    .tuple(interval(dtype), shape)
    .map(([[low, high], axes]) => new Box<Dtype>(low, high, axes, dtype));
  const varied = shape.chain((axes) => {
    const size = sizeOfShape(axes);
    return fc.array(interval(dtype), { minLength: size, maxLength: size }).map((bounds) => {
      const lows = bounds.map(([low]) => low);
      return new Box<Dtype>(
        lows,
        bounds.map(([, high]) => high),
        axes,
        dtype,
      );
    });
  });
  return fc.oneof(uniform, varied);
});

const anyDiscrete = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: -20, max: 20 }))
  .map(([n, start]) => new Discrete(n, start));

const anyMultiDiscrete = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: -4, max: 4 })), {
    minLength: 1,
    maxLength: 4,
  })
  .map(
    (parts) =>
      new MultiDiscrete(
        parts.map(([n]) => n),
        parts.map(([, start]) => start),
      ),
  );

const memberName = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.constantFrom('observation', 'actionMask', '10', '9'),
);

/** Any kind of space, possibly nested. */
export const anySpace: fc.Arbitrary<Space> = fc.letrec<{ space: Space; leaf: Space; nested: Space }>(
  (tie) => ({
    space: fc.oneof({ maxDepth: 2, withCrossShrink: true }, tie('leaf'), tie('nested')),
    leaf: fc.oneof<fc.Arbitrary<Space>[]>(
      anyBox,
      anyDiscrete,
      anyMultiDiscrete,
      shape.filter((axes) => axes.length > 0).map((axes) => new MultiBinary(axes)),
    ),
    nested: fc.oneof<fc.Arbitrary<Space>[]>(
      fc
        .array(tie('space'), { minLength: 1, maxLength: 3 })
        .map((spaces) => new Tuple<readonly Space[]>(spaces)),
      fc.dictionary(memberName, tie('space'), { minKeys: 1, maxKeys: 3 }).map((spaces) => new Dict(spaces)),
    ),
  }),
).space;
