import { Box } from './box.js';
import { asBuiltIn } from './built-in-space.js';
import { Dict } from './dict.js';
import type { Discrete } from './discrete.js';
import type { Dtype, NumberArray } from './dtype.js';
import { createArray } from './dtype.js';
import { MultiBinary } from './multi-binary.js';
import { MultiDiscrete } from './multi-discrete.js';
import type { Space } from './space.js';
import { Tuple } from './tuple.js';

/**
 * Several samples of a space as one value: numbers become an `Int32Array`, arrays gain a leading axis, and
 * each member of a `Dict` or `Tuple` is a batch. As arrays are flat, their types stay the same.
 */
export type Batch<Value> = unknown extends Value
  ? unknown
  : Value extends number
    ? Int32Array
    : Value extends NumberArray
      ? Value
      : { readonly [Key in keyof Value]: Batch<Value[Key]> };

/**
 * The space of batches of `count` samples, like Gymnasium's `batch_space`: a `Box` or `MultiBinary` gets the
 * shape `[count, …shape]`, a `Discrete` or `MultiDiscrete` becomes the `MultiDiscrete` of all numbers, and
 * the members of a `Dict` or `Tuple` become spaces of batches.
 *
 * @param count 1 or more.
 * @throws SpaceError `space-kind` for a kind of space that is not built in; `space-shape`, `space-count` for
 * batches that are too large or have numbers beyond 32 bits.
 */
export function batchSpace<Value>(space: Space<Value>, count: number): Space<Batch<Value>> {
  return batchOf(space, count) as unknown as Space<Batch<Value>>;
}

/**
 * A new batch of `count` samples, all zeros; it may be outside `batchSpace` until samples are written to it.
 */
export function createBatch<Value>(space: Space<Value>, count: number): Batch<Value> {
  return zerosOf(space, count) as Batch<Value>;
}

/**
 * Overwrites sample `index` of a batch. Unchecked: the sample and the batch must be of the space. Allocates
 * nothing.
 */
export function writeSample<Value>(
  space: Space<Value>,
  sample: Value,
  batch: Batch<Value>,
  index: number,
): void {
  write(space, sample, batch, index);
}

/** As `writeSample`, for a whole batch, written from index `first` on. */
export function writeBatch<Value>(
  space: Space<Value>,
  part: Batch<Value>,
  batch: Batch<Value>,
  first: number,
): void {
  write(space, part, batch, first);
}

/** A copy of sample `index` of a batch. */
export function sampleOfBatch<Value>(space: Space<Value>, batch: Batch<Value>, index: number): Value {
  return read(space, batch, index, copyOf) as Value;
}

/** As `sampleOfBatch`, with arrays that are views of those of the batch. */
export function viewOfBatch<Value>(space: Space<Value>, batch: Batch<Value>, index: number): Value {
  return read(space, batch, index, viewOf) as Value;
}

function batchOf(space: Space, count: number): Space {
  const known = asBuiltIn(space);
  switch (known.kind) {
    case 'Box':
      return new Box<Dtype>(
        repeatBound(known.low, count),
        repeatBound(known.high, count),
        [count, ...known.shape],
        known.dtype,
      );
    case 'MultiBinary':
      return new MultiBinary([count, ...known.shape]);
    case 'Discrete':
      return new MultiDiscrete(repeat([known.n], count), repeat([known.start], count));
    case 'MultiDiscrete':
      return new MultiDiscrete(repeat(known.nvec, count), repeat(known.start, count));
    case 'Dict':
      return new Dict(Object.fromEntries(known.keys.map((key) => [key, batchOf(known.spaces[key]!, count)])));
    case 'Tuple':
      return new Tuple<readonly Space[]>(known.spaces.map((member) => batchOf(member, count)));
  }
}

function repeatBound(bound: number | readonly number[], count: number): number | readonly number[] {
  return typeof bound === 'number' ? bound : repeat(bound, count);
}

function repeat(values: readonly number[], count: number): readonly number[] {
  return Array.from({ length: count }, () => values).flat();
}

function zerosOf(space: Space, count: number): unknown {
  const known = asBuiltIn(space);
  switch (known.kind) {
    case 'Box':
      return createArray(known.dtype, count * known.size);
    case 'MultiBinary':
      return new Uint8Array(count * known.size);
    case 'Discrete':
    case 'MultiDiscrete':
      return new Int32Array(count * numbersOf(known));
    case 'Dict':
      return Object.fromEntries(known.keys.map((key) => [key, zerosOf(known.spaces[key]!, count)]));
    case 'Tuple':
      return known.spaces.map((member) => zerosOf(member, count));
  }
}

/** Length of a sample in an `Int32Array`. */
function numbersOf(space: Discrete | MultiDiscrete): number {
  return space.kind === 'Discrete' ? 1 : space.nvec.length;
}

type Members = Readonly<Record<string | number, unknown>>;

function write(space: Space, value: unknown, batch: unknown, row: number): void {
  const known = asBuiltIn(space);
  switch (known.kind) {
    case 'Box':
    case 'MultiBinary':
      (batch as NumberArray).set(value as NumberArray, row * known.size);
      return;
    case 'Discrete':
      if (typeof value === 'number') (batch as Int32Array)[row] = value;
      else (batch as Int32Array).set(value as Int32Array, row);
      return;
    case 'MultiDiscrete':
      (batch as Int32Array).set(value as Int32Array, row * known.nvec.length);
      return;
    case 'Dict':
      for (const key of known.keys) {
        write(known.spaces[key]!, (value as Members)[key], (batch as Members)[key], row);
      }
      return;
    case 'Tuple':
      for (let index = 0; index < known.spaces.length; index++) {
        write(known.spaces[index]!, (value as Members)[index], (batch as Members)[index], row);
      }
  }
}

/** The elements `[start, end)` of an array. */
type Part = (array: NumberArray, start: number, end: number) => NumberArray;

const copyOf: Part = (array, start, end) => array.slice(start, end);
const viewOf: Part = (array, start, end) => array.subarray(start, end);

function read(space: Space, batch: unknown, row: number, part: Part): unknown {
  const known = asBuiltIn(space);
  switch (known.kind) {
    case 'Box':
    case 'MultiBinary':
      return part(batch as NumberArray, row * known.size, (row + 1) * known.size);
    case 'Discrete':
      return (batch as Int32Array)[row];
    case 'MultiDiscrete':
      return part(batch as Int32Array, row * known.nvec.length, (row + 1) * known.nvec.length);
    case 'Dict':
      return Object.fromEntries(
        known.keys.map((key) => [key, read(known.spaces[key]!, (batch as Members)[key], row, part)]),
      );
    case 'Tuple':
      return known.spaces.map((member, index) => read(member, (batch as Members)[index], row, part));
  }
}
