import { SpaceError } from '../errors.js';
import { describeValue } from '../text/described-value.js';

/** The largest number of elements of an array. */
const MAX_SIZE = 2 ** 31 - 1;

/** Whether a value is an array, perhaps a typed one. */
export function isList(value: unknown): boolean {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && 'length' in value);
}

/**
 * A frozen copy of the lengths of an array's axes.
 *
 * @throws SpaceError `space-shape` unless it is a list of positive integers whose product is below 2^31.
 */
export function checkShape(shape: readonly number[]): readonly number[] {
  if (!isList(shape)) {
    throw new SpaceError('space-shape', `expected a list of lengths as shape, got ${describeValue(shape)}`);
  }
  const wrong = shape.findIndex((length) => !Number.isInteger(length) || length < 1);
  if (wrong !== -1) {
    const found = describeValue(shape[wrong]);
    throw new SpaceError('space-shape', `expected a shape of positive integers, got ${found} at [${wrong}]`);
  }
  const size = sizeOfShape(shape);
  if (size > MAX_SIZE) {
    throw new SpaceError('space-shape', `expected a shape of at most ${MAX_SIZE} elements, got ${size}`);
  }
  return Object.freeze([...shape]);
}

/** Number of elements of an array of this shape; 1 for `[]`, a scalar. */
export function sizeOfShape(shape: readonly number[]): number {
  return shape.reduce((size, length) => size * length, 1);
}
