import { describeValue } from '../../text/described-value.js';
import { formatPath, type PathPart } from '../../spaces/violation.js';

/** A deep copy of a value of arrays, typed arrays and plain objects. */
export function snapshot(value: unknown): unknown {
  if (ArrayBuffer.isView(value) && 'slice' in value) return (value as Uint8Array).slice();
  if (Array.isArray(value)) return value.map(snapshot);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, snapshot(member)]));
}

type Numbers = ArrayLike<number> & { readonly constructor: unknown };

function isNumbers(value: unknown): value is Numbers {
  return ArrayBuffer.isView(value) && 'length' in value;
}

function describeAt(path: readonly PathPart[], found: unknown, expected: unknown): string {
  const where = path.length === 0 ? '' : ` at ${formatPath(path)}`;
  return `expected ${describeValue(expected)}, got ${describeValue(found)}${where}`;
}

function numbersDiffer(found: Numbers, expected: Numbers): number {
  for (let i = 0; i < expected.length; i++) {
    if (found[i] !== expected[i] && !Object.is(found[i], expected[i])) return i;
  }
  return -1;
}

/**
 * Describes the first difference between two values of arrays, typed arrays and plain objects: `expected 1, got 0 at
 * observation[17]`; null if they are equal. NaN equals NaN, and -0 equals 0.
 *
 * @param path the path of the values in larger ones, for the message.
 */
export function firstDifference(
  found: unknown,
  expected: unknown,
  path: readonly PathPart[] = [],
): string | null {
  if (found === expected || Object.is(found, expected)) return null;
  if (isNumbers(found) && isNumbers(expected)) {
    if (found.constructor !== expected.constructor || found.length !== expected.length) {
      return describeAt(path, found, expected);
    }
    const index = numbersDiffer(found, expected);
    return index === -1 ? null : describeAt([...path, index], found[index], expected[index]);
  }
  const areObjects =
    typeof found === 'object' && typeof expected === 'object' && !(isNumbers(found) || isNumbers(expected));
  if (!areObjects || found === null || expected === null) return describeAt(path, found, expected);
  return membersDiffer(found, expected, path);
}

function membersDiffer(found: object, expected: object, path: readonly PathPart[]): string | null {
  const keys = Object.keys(expected);
  const areLists = Array.isArray(found) && Array.isArray(expected);
  if (Array.isArray(found) !== Array.isArray(expected) || Object.keys(found).length !== keys.length) {
    return describeAt(path, found, expected);
  }
  for (const key of keys) {
    if (!Object.hasOwn(found, key)) return describeAt(path, found, expected);
    const part = areLists ? Number(key) : key;
    const difference = firstDifference((found as Members)[key], (expected as Members)[key], [...path, part]);
    if (difference !== null) return difference;
  }
  return null;
}

type Members = Readonly<Record<string, unknown>>;
