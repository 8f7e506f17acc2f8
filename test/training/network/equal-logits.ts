import { expect } from 'vitest';
import type { RawLogits } from '../../../training/export/raw-logits.js';
import type { Logits } from '../../../training/network/tensor-network.js';

/** Expects the same heads in the same order, none of them all zero, each logit within 1e-4. */
export function expectEqualLogits(actual: RawLogits, expected: Logits): void {
  expect([...actual.auxiliary.keys()]).toEqual([...expected.auxiliary.keys()]);
  const pairs = [[actual.policy, expected.policy] as const, [actual.outcome, expected.outcome] as const];
  for (const [head, logits] of expected.auxiliary) pairs.push([actual.auxiliary.get(head)!, logits]);
  for (const [found, wanted] of pairs) {
    expect(found).toHaveLength(wanted.length);
    // An all-zero head would be equal to anything that is all zero.
    expect(Math.max(...wanted.subarray(0, 1000).map(Math.abs))).toBeGreaterThan(0.01);
    const differences = found.map((value, i) => Math.abs(value - wanted[i]!));
    expect(differences.reduce((most, difference) => Math.max(most, difference), 0)).toBeLessThan(1e-4);
  }
}
