import { expect } from 'vitest';

type NamedLogits = ReadonlyMap<string, Float32Array>;

/** Expects the same heads in the same order, none of them all zero, each logit within 1e-4. */
export function expectEqualLogits(actual: NamedLogits, expected: NamedLogits): void {
  expect([...actual.keys()]).toEqual([...expected.keys()]);
  for (const [head, wanted] of expected) {
    const found = actual.get(head)!;
    expect(found).toHaveLength(wanted.length);
    // Two heads that are all zero would be equal without proving anything.
    expect(Math.max(...wanted.subarray(0, 1000).map(Math.abs))).toBeGreaterThan(0.01);
    const differences = found.map((value, i) => Math.abs(value - wanted[i]!));
    expect(differences.reduce((most, difference) => Math.max(most, difference), 0)).toBeLessThan(1e-4);
  }
}
