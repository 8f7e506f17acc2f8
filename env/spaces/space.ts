import * as z from 'zod';
import { SpaceError } from '../errors.js';
import type { Rng } from '../random.js';
import { describeValue } from '../text/described-value.js';
import type { PathPart, Violation } from './violation.js';
import { formatViolation } from './violation.js';

/** A space as JSON: its kind and its fields. `spaceFromJson` reads it. */
export interface SpaceJson {
  readonly kind: string;
  readonly [field: string]: unknown;
}

/**
 * The set of possible observations or actions of an environment, like Gymnasium's `Space`.
 *
 * A space is an immutable value without randomness of its own: `sample` uses the caller's stream, and spaces
 * of equal definition are interchangeable. `SeededSpace` has a stream of its own.
 *
 * `Value` is the type of its samples, `Options` that of the options of `sample`.
 */
export interface Space<Value = unknown, Options = never> {
  /** The name of the class: `Box`, `Discrete`, … */
  readonly kind: string;
  /** Accepts exactly what `contains` accepts, with the first violation as the issue, at its path. */
  readonly schema: z.ZodType<Value>;
  /** Whether `value` is in the space; checks type, size and every number. */
  contains(value: unknown): value is Value;
  /** The first reason why `value` is not in the space; null if it is. */
  violation(value: unknown): Violation | null;
  /**
   * Samples a value, which is new and belongs to the caller.
   *
   * @throws SpaceError `sample-options`, `sample-none-allowed`.
   */
  sample(rng: Rng, options?: Options): Value;
  /** Whether `other` has the same definition, and so the same JSON, values and samples. */
  equals(other: Space): boolean;
  /** The space as JSON, which `spaceFromJson` reads. Equal spaces have equal texts. */
  toJSON(): SpaceJson;
  /**
   * A batch of samples as JSON, laid out like Gymnasium's `to_jsonable`: a list of samples; for a `Dict` or
   * `Tuple`, such a list for each member. Arrays nest by their shape. Infinities and -0 are texts.
   *
   * @param path the path of the list, for messages; member `a` of sample 3 is `a[3]`, as in the JSON.
   * @throws SpaceError `sample-outside`.
   */
  toJsonable(samples: readonly Value[], path?: readonly PathPart[]): unknown;
  /**
   * Inverse of `toJsonable`.
   *
   * @param path the path of `json` in a larger value, for messages.
   * @throws SpaceError `sample-syntax`, `sample-outside`.
   */
  fromJsonable(json: unknown, path?: readonly PathPart[]): Value[];
  /** As Gymnasium prints it: `Box(0, 1, [3, 4], float32)`. */
  toString(): string;
}

/** The type of a space's samples: `Sample<typeof space>`. */
export type Sample<S extends Space> = ReturnType<S['sample']>;

/** The options of a space's `sample`: `mask`, …; for a `Dict` or `Tuple`, such options for each member. */
export type SampleOptions<S extends Space> = Exclude<Parameters<S['sample']>[1], undefined>;

/**
 * Checks that `value` is in `space`.
 *
 * @param path the path of `value` in a larger one, for the message.
 * @throws SpaceError `sample-outside`.
 */
export function assertContains<Value>(
  space: Space<Value>,
  value: unknown,
  path: readonly PathPart[] = [],
): asserts value is Value {
  const violation = space.violation(value);
  if (violation === null) return;
  throw new SpaceError(
    'sample-outside',
    formatViolation({ ...violation, path: [...path, ...violation.path] }),
  );
}

/** The zod schema of the values without a violation. */
export function sampleSchema<Value>(violation: (value: unknown) => Violation | null): z.ZodType<Value> {
  return z.custom<Value>().superRefine((value, context) => {
    const found = violation(value);
    if (found === null) return;
    const message = formatViolation({ ...found, path: [] });
    context.addIssue({ code: 'custom', message, path: [...found.path] });
  });
}

/**
 * Checks the members of a `Dict` or `Tuple`.
 *
 * @param kind the name of the class.
 * @throws SpaceError `space-members` for none, or one that is no space.
 */
export function expectMembers(kind: string, members: readonly (readonly [PathPart, unknown])[]): void {
  if (members.length === 0) throw new SpaceError('space-members', `expected a member of a ${kind}, got none`);
  const wrong = members.find(([, member]) => !isSpace(member));
  if (wrong === undefined) return;
  const [part, found] = wrong;
  throw new SpaceError(
    'space-members',
    formatViolation({
      path: [part],
      expected: `spaces as members of a ${kind}`,
      found: describeValue(found),
    }),
  );
}

function isSpace(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value && 'violation' in value;
}

/** Whether two spaces have the same definition: their JSON is canonical. */
export function equalSpaces(first: Space, second: Space): boolean {
  return first === second || JSON.stringify(first) === JSON.stringify(second);
}
