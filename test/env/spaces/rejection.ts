import { expect } from 'vitest';
import { SpaceError } from '../../../env/errors.js';
import type { Space } from '../../../env/spaces/space.js';
import { assertContains } from '../../../env/spaces/space.js';

/** The `SpaceError` that `call` throws; anything else fails the test. */
export function thrownBy(call: () => unknown): SpaceError {
  try {
    call();
  } catch (error) {
    expect(error).toBeInstanceOf(SpaceError);
    return error as SpaceError;
  }
  throw new Error('expected a SpaceError, got none');
}

/**
 * Why `value` is not in the space; undefined if it is. Checks that `contains`, the schema and
 * `assertContains` agree.
 */
export function rejection(space: Space, value: unknown): string | undefined {
  const isContained = space.contains(value);
  const parsed = space.schema.safeParse(value);
  expect(parsed.success).toBe(isContained);
  if (isContained) {
    assertContains(space, value);
    return undefined;
  }
  const error = thrownBy(() => {
    assertContains(space, value);
  });
  expect(error.code).toBe('sample-outside');
  expect(parsed.error!.issues.map(({ path }) => path)).toEqual([space.violation(value)!.path]);
  return error.message;
}
