import { SpaceError } from '../errors.js';
import { Box } from './box.js';
import { asBuiltIn } from './built-in-space.js';
import type { Dict } from './dict.js';
import type { Discrete } from './discrete.js';
import type { Dtype, NumberArray } from './dtype.js';
import { commonDtype, createArray } from './dtype.js';
import type { MultiDiscrete } from './multi-discrete.js';
import type { Sample, Space } from './space.js';
import { assertContains } from './space.js';
import type { Tuple } from './tuple.js';
import type { PathPart } from './violation.js';
import { formatViolation } from './violation.js';

/**
 * Length of a flattened sample: the size of a `Box` or `MultiBinary`, `n` of a `Discrete` (one-hot), the sum
 * over components or members of the others.
 *
 * @throws SpaceError `space-kind` for a kind of space that is not built in.
 */
export function flatdim(space: Space): number {
  const known = asBuiltIn(space);
  switch (known.kind) {
    case 'Box':
    case 'MultiBinary':
      return known.size;
    case 'Discrete':
      return known.n;
    case 'MultiDiscrete':
    case 'Dict':
    case 'Tuple':
      return sum(membersOf(known).map(({ member }) => flatdim(member)));
  }
}

/**
 * The element type of flat samples: the smallest that represents all members' numbers exactly; `uint8` for
 * one-hot and binary spaces (Gymnasium: `int64` and `int8`).
 *
 * @throws SpaceError `space-kind`.
 */
export function flatDtype(space: Space): Dtype {
  const known = asBuiltIn(space);
  switch (known.kind) {
    case 'Box':
      return known.dtype;
    case 'MultiBinary':
    case 'Discrete':
      return 'uint8';
    case 'MultiDiscrete':
    case 'Dict':
    case 'Tuple':
      return commonDtype(membersOf(known).map(({ member }) => flatDtype(member)));
  }
}

/**
 * The one-dimensional box of all flattened samples. Not all its samples can be unflattened.
 *
 * @throws SpaceError `space-kind`.
 */
export function flattenSpace(space: Space): Box<Dtype> {
  const { low, high } = flatBounds(space);
  return new Box<Dtype>(low, high, [low.length], flatDtype(space));
}

/**
 * Flattens a sample to `[flatdim(space)]` of type `flatDtype(space)`, members of a `Dict` in the order of its
 * `keys`. `unflatten` is the exact inverse.
 *
 * @throws SpaceError `sample-outside`, `space-kind`.
 */
export function flatten<S extends Space>(space: S, sample: Sample<S>): NumberArray {
  assertContains(space, sample);
  const out = createArray(flatDtype(space), flatdim(space));
  flattenInto(space, sample, out, 0);
  return out;
}

/**
 * Writes a flattened sample to `out[offset …]`, for instance into a row of a batch. Allocates no memory
 * proportional to the sample. Unchecked: the sample must be in the space, and `out` must have room and a
 * suitable type.
 *
 * @returns the offset after the written numbers.
 * @throws SpaceError `space-kind`.
 */
export function flattenInto<S extends Space>(
  space: S,
  sample: Sample<S>,
  out: NumberArray,
  offset: number,
): number {
  const known = asBuiltIn(space);
  switch (known.kind) {
    case 'Box':
    case 'MultiBinary':
      out.set(sample as NumberArray, offset);
      return offset + known.size;
    case 'Discrete':
      out.fill(0, offset, offset + known.n);
      out[offset + (sample as number) - known.start] = 1;
      return offset + known.n;
    case 'MultiDiscrete':
    case 'Dict':
    case 'Tuple': {
      let end = offset;
      for (const { key, member } of membersOf(known)) {
        end = flattenInto(member, (sample as Record<PathPart, unknown>)[key], out, end);
      }
      return end;
    }
  }
}

/**
 * Inverse of `flatten`. The result is new and belongs to the caller.
 *
 * @param flat `[flatdim(space)]`, of any element type.
 * @throws SpaceError `sample-flat` for a wrong length or a part that is not one-hot; `sample-outside`;
 * `space-kind`.
 */
export function unflatten<S extends Space>(space: S, flat: ArrayLike<number>): Sample<S> {
  const length = flatdim(space);
  if (flat.length !== length) {
    throw new SpaceError('sample-flat', `expected ${length} numbers, got ${flat.length}`);
  }
  const sample = unflattenAt(space, flat, 0, []);
  assertContains(space, sample);
  return sample as Sample<S>;
}

function unflattenAt(
  space: Space,
  flat: ArrayLike<number>,
  offset: number,
  path: readonly PathPart[],
): unknown {
  const known = asBuiltIn(space);
  switch (known.kind) {
    case 'Box':
    case 'MultiBinary':
      return copyNumbers(flat, offset, {
        out: createArray(known.kind === 'Box' ? known.dtype : 'uint8', known.size),
        path,
      });
    case 'Discrete':
      return known.start + indexOfOne(flat, offset, known, path);
    case 'MultiDiscrete':
    case 'Dict':
    case 'Tuple': {
      let end = offset;
      const values = membersOf(known).map(({ key, member }): [PathPart, unknown] => {
        const value = unflattenAt(member, flat, end, [...path, key]);
        end += flatdim(member);
        return [key, value];
      });
      if (known.kind === 'Dict') return Object.fromEntries(values);
      const list = values.map(([, value]) => value);
      return known.kind === 'Tuple' ? list : Int32Array.from(list as number[]);
    }
  }
}

/** Rejects numbers that an integer array would wrap; floats are rounded to its precision. */
function copyNumbers(
  flat: ArrayLike<number>,
  offset: number,
  { out, path }: { readonly out: NumberArray; readonly path: readonly PathPart[] },
): NumberArray {
  const isFloat = out instanceof Float32Array || out instanceof Float64Array;
  for (let index = 0; index < out.length; index++) {
    const value = flat[offset + index]!;
    out[index] = value;
    if (isFloat || out[index] === value) continue;
    const expected = `an integer that fits the type`;
    throw flatError({ path: [...path, index], expected, found: String(value) });
  }
  return out;
}

function indexOfOne(
  flat: ArrayLike<number>,
  offset: number,
  { n }: Discrete,
  path: readonly PathPart[],
): number {
  let one: number | undefined;
  for (let index = 0; index < n; index++) {
    const value = flat[offset + index]!;
    if (value === 0) continue;
    if (value !== 1 || one !== undefined) {
      throw flatError({ path: [...path, index], expected: 'zeros and a single 1', found: String(value) });
    }
    one = index;
  }
  if (one === undefined) throw flatError({ path, expected: 'zeros and a single 1', found: 'zeros' });
  return one;
}

function flatError(violation: Parameters<typeof formatViolation>[0]): SpaceError {
  return new SpaceError('sample-flat', formatViolation(violation));
}

interface Bounds {
  readonly low: readonly number[];
  readonly high: readonly number[];
}

/** `[flatdim]` each. */
function flatBounds(space: Space): Bounds {
  const known = asBuiltIn(space);
  const length = flatdim(known);
  switch (known.kind) {
    case 'Box':
      return {
        low: Array.from({ length }, (_, index) => known.lowAt(index)),
        high: Array.from({ length }, (_, index) => known.highAt(index)),
      };
    case 'Dict':
    case 'Tuple': {
      const bounds = membersOf(known).map(({ member }) => flatBounds(member));
      return { low: bounds.flatMap(({ low }) => low), high: bounds.flatMap(({ high }) => high) };
    }
    case 'Discrete':
    case 'MultiBinary':
    case 'MultiDiscrete':
      return { low: new Array<number>(length).fill(0), high: new Array<number>(length).fill(1) };
  }
}

interface Member {
  readonly key: PathPart;
  readonly member: Space;
}

/** The members of a sample, in the order of flattening. */
function membersOf(space: MultiDiscrete | Dict | Tuple): Member[] {
  switch (space.kind) {
    case 'Dict':
      return space.keys.map((key) => ({ key, member: space.spaces[key]! }));
    case 'Tuple':
      return space.spaces.map((member, key) => ({ key, member }));
    case 'MultiDiscrete':
      return space.components.map((member, key) => ({ key, member }));
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
