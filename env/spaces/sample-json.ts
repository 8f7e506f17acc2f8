import { SpaceError } from '../errors.js';
import type { NumberArray } from './dtype.js';
import { sizeOfShape } from './shape.js';
import type { PathPart } from './violation.js';
import { describeValue } from '../text/described-value.js';
import { formatViolation } from './violation.js';

/** A number as JSON, exactly; those that JSON cannot represent are texts. */
export type JsonNumber = number | 'Infinity' | '-Infinity' | '-0';

/** The texts of the numbers that JSON cannot represent. */
const SPECIAL_NUMBERS: Readonly<Record<string, number>> = {
  Infinity: Infinity,
  '-Infinity': -Infinity,
  '-0': -0,
};

/** Encodes a number other than NaN. */
export function encodeNumber(value: number): JsonNumber {
  if (Object.is(value, -0)) return '-0';
  if (Number.isFinite(value)) return value;
  return value > 0 ? 'Infinity' : '-Infinity';
}

/** Inverse of `encodeNumber`; undefined for anything else. */
export function decodeNumber(json: unknown): number | undefined {
  if (typeof json === 'number') return Number.isNaN(json) ? undefined : json;
  return typeof json === 'string' && Object.hasOwn(SPECIAL_NUMBERS, json) ? SPECIAL_NUMBERS[json] : undefined;
}

/** Nests numbers in lists by the axes of `shape`, the last innermost; a number for the shape `[]`. */
export function nestNumbers(values: NumberArray, shape: readonly number[]): unknown {
  return nestFrom(values, shape, 0);
}

function nestFrom(values: NumberArray, shape: readonly number[], offset: number): unknown {
  const [length, ...inner] = shape;
  if (length === undefined) return encodeNumber(values[offset]!);
  // Hot: no recursion for single numbers.
  if (inner.length === 0) return Array.from(values.subarray(offset, offset + length), encodeNumber);
  const stride = sizeOfShape(inner);
  return Array.from({ length }, (_, index) => nestFrom(values, inner, offset + index * stride));
}

/** The destination of nested lists. */
export interface NestedTarget {
  readonly shape: readonly number[];
  readonly out: NumberArray;
  /** Whether `out` can hold integers only. */
  readonly isInteger: boolean;
}

/**
 * Inverse of `nestNumbers`, into `target.out`. Floats are rounded to the precision of `out`.
 *
 * @param path the path of `json`, for messages.
 * @throws SpaceError `sample-syntax` for lists of another shape, values that are not numbers, and numbers
 * that the array cannot hold.
 */
export function readNestedNumbers(json: unknown, target: NestedTarget, path: readonly PathPart[]): void {
  readFrom(json, target.shape, { target, offset: 0, path });
}

interface Place {
  readonly target: NestedTarget;
  readonly offset: number;
  readonly path: readonly PathPart[];
}

function readFrom(json: unknown, shape: readonly number[], { target, offset, path }: Place): void {
  const [length, ...inner] = shape;
  if (length === undefined) {
    if (!storeNumber(json, target, offset)) throw numberError(json, target, path);
    return;
  }
  if (!Array.isArray(json) || json.length !== length) throw syntaxError(`a list of ${length}`, json, path);
  const stride = sizeOfShape(inner);
  json.forEach((item: unknown, index) => {
    // Hot: no recursion and no path for single numbers.
    if (inner.length > 0) {
      readFrom(item, inner, { target, offset: offset + index * stride, path: [...path, index] });
    } else if (!storeNumber(item, target, offset + index)) {
      throw numberError(item, target, [...path, index]);
    }
  });
}

function numberError(json: unknown, { isInteger }: NestedTarget, path: readonly PathPart[]): SpaceError {
  return syntaxError(isInteger ? 'an integer that fits the type' : 'a number that fits the type', json, path);
}

/** Stores a number; false if the array cannot hold it. */
function storeNumber(json: unknown, { out, isInteger }: NestedTarget, index: number): boolean {
  const value = decodeNumber(json);
  if (value === undefined) return false;
  out[index] = value;
  return isInteger ? out[index] === value : Number.isFinite(value) === Number.isFinite(out[index]);
}

/**
 * Checks that the JSON of a batch of samples is a list.
 *
 * @throws SpaceError `sample-syntax` otherwise.
 */
export function readBatch(json: unknown, path: readonly PathPart[]): readonly unknown[] {
  if (!Array.isArray(json)) throw syntaxError('a list of samples', json, path);
  return json;
}

/** The `SpaceError` for JSON that is not what was expected. */
export function syntaxError(expected: string, json: unknown, path: readonly PathPart[]): SpaceError {
  const found = describeValue(json);
  return new SpaceError('sample-syntax', formatViolation({ path, expected, found }));
}
