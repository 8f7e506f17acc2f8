import { SpaceError } from '../errors.js';
import type { NumberArray } from './dtype.js';
import { sizeOfShape } from './shape.js';
import type { PathPart } from './violation.js';
import { describeValue, formatViolation } from './violation.js';

/** A number as JSON, exactly: those that JSON has no way to write are texts. */
export type JsonNumber = number | 'Infinity' | '-Infinity' | '-0';

/** The texts of the numbers that JSON cannot write. */
export const SPECIAL_NUMBERS: Readonly<Record<string, number>> = {
  Infinity: Infinity,
  '-Infinity': -Infinity,
  '-0': -0,
};

/** Writes a number, not NaN, for JSON. */
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

/** Lists within lists by the axes of `shape`, the last one innermost; a number for the shape `[]`. */
export function nestNumbers(values: NumberArray, shape: readonly number[]): unknown {
  return nestFrom(values, shape, 0);
}

function nestFrom(values: NumberArray, shape: readonly number[], offset: number): unknown {
  const [length, ...inner] = shape;
  if (length === undefined) return encodeNumber(values[offset]!);
  // The numbers themselves are many: no call for each but to write it.
  if (inner.length === 0) return Array.from(values.subarray(offset, offset + length), encodeNumber);
  const stride = sizeOfShape(inner);
  return Array.from({ length }, (_, index) => nestFrom(values, inner, offset + index * stride));
}

/** Where nested lists are read to. */
export interface NestedTarget {
  readonly shape: readonly number[];
  readonly out: NumberArray;
  /** Whether `out` can hold integers only. */
  readonly isInteger: boolean;
}

/**
 * Inverse of `nestNumbers`, into `target.out`. Floats are rounded to the precision of `out`.
 *
 * @param path where `json` stands, for messages.
 * @throws SpaceError `sample-syntax` for lists of another shape, what is not a number, and numbers that the
 * array cannot hold.
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
    // The numbers themselves are many: no call and no path for each.
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

/** Whether the array could hold the number. */
function storeNumber(json: unknown, { out, isInteger }: NestedTarget, index: number): boolean {
  const value = decodeNumber(json);
  if (value === undefined) return false;
  out[index] = value;
  return isInteger ? out[index] === value : Number.isFinite(value) === Number.isFinite(out[index]);
}

/**
 * The list that a batch of samples is written as.
 *
 * @throws SpaceError `sample-syntax` for anything but a list.
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
