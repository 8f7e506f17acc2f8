import { SpaceError } from '../errors.js';
import { describeValue } from '../text/described-value.js';

/** The largest number of elements of an array. */
const MAX_SIZE = 2 ** 31 - 1;

/**
 * A frozen copy of the lengths of an array's axes.
 *
 * @throws SpaceError `space-shape` unless they are positive integers whose product is below 2^31.
 */
export function checkShape(shape: readonly number[]): readonly number[] {
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
