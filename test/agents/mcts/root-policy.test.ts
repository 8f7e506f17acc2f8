import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { selectAction, visitPolicy } from '../../../agents/mcts/root-policy.js';
import { RootStatistics } from '../../../agents/mcts/root-statistics.js';
import { PROVEN_DRAW, PROVEN_LOSS, PROVEN_WIN, UNPROVEN } from '../../../agents/mcts/proof.js';
import { createRng } from '../../../env/random.js';

interface Move {
  readonly action: number;
  readonly visits: number;
  readonly q?: number;
  readonly prior?: number;
  readonly proof?: number;
}

function rootOf(moves: readonly Move[]): RootStatistics {
  const root = new RootStatistics(moves.length);
  root.count = moves.length;
  moves.forEach(({ action, visits, q = 0, prior = 1 / moves.length, proof = UNPROVEN }, index) => {
    root.actions[index] = action;
    root.visits[index] = visits;
    root.qValues[index] = q;
    root.priors[index] = prior;
    root.proofs[index] = proof;
  });
  return root;
}

function policyOf(root: RootStatistics): Float32Array {
  const policy = new Float32Array(root.count);
  visitPolicy(root, policy);
  return policy;
}

function choose(root: RootStatistics, temperature: number, seed = 1): number {
  return selectAction(root, policyOf(root), temperature, createRng(seed));
}

describe('the policy of a search', () => {
  test.each([
    ['shares of the visits', [{ visits: 3 }, { visits: 1 }, { visits: 0 }], [0.75, 0.25, 0]],
    ['everything for a proven win', [{ visits: 9 }, { visits: 1, proof: PROVEN_WIN }], [0, 1]],
    [
      'no share for a proven loss',
      [{ visits: 6, proof: PROVEN_LOSS }, { visits: 1 }, { visits: 1, proof: PROVEN_DRAW }],
      [0, 0.5, 0.5],
    ],
    ['the visits if all is lost', [1, 3].map((visits) => ({ visits, proof: PROVEN_LOSS })), [0.25, 0.75]],
    [
      'the priors if nothing was visited',
      [
        { visits: 0, prior: 0.25 },
        { visits: 0, prior: 0.75 },
      ],
      [0.25, 0.75],
    ],
  ])('is %s', (_what, moves, expected) => {
    const root = rootOf(moves.map((move, index) => ({ action: 10 + index, ...move })));
    expect([...policyOf(root)]).toEqual(expected);
  });

  test('sums to 1', () => {
    const move = fc.record({
      visits: fc.nat(100),
      prior: fc.constant(0.2),
      proof: fc.constantFrom(UNPROVEN, PROVEN_LOSS, PROVEN_DRAW, PROVEN_WIN),
    });
    fc.assert(
      fc.property(fc.array(move, { minLength: 5, maxLength: 5 }), (moves) => {
        const policy = policyOf(rootOf(moves.map((one, action) => ({ action, ...one }))));
        expect(policy.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 5);
      }),
    );
  });
});

describe('the choice of a move', () => {
  const root = rootOf([
    { action: 3, visits: 10 },
    { action: 5, visits: 30 },
    { action: 8, visits: 60 },
    { action: 9, visits: 0 },
  ]);

  test('is the most visited one at temperature 0; ties go to the better value, then to the first', () => {
    expect(choose(root, 0)).toBe(8);
    const tied = [1, 2, 3].map((action) => ({ action, visits: 5, q: action === 1 ? -1 : 0.5 }));
    expect(choose(rootOf(tied), 0)).toBe(2);
  });

  test.each([
    [1, [0.1, 0.3, 0.6]],
    [0.5, [1 / 46, 9 / 46, 36 / 46]],
    [1000, [1 / 3, 1 / 3, 1 / 3]],
  ])('is drawn with visits to the power of 1 / %d', (temperature, expected) => {
    const draws = 4000;
    const counts = new Map<number, number>();
    const rng = createRng(2);
    for (let i = 0; i < draws; i++) {
      const action = selectAction(root, policyOf(root), temperature, rng);
      counts.set(action, (counts.get(action) ?? 0) + 1);
    }
    expect(counts.has(9)).toBe(false);
    [3, 5, 8].forEach((action, index) => {
      const deviation = Math.sqrt((expected[index]! * (1 - expected[index]!)) / draws);
      expect(Math.abs((counts.get(action) ?? 0) / draws - expected[index]!)).toBeLessThan(5 * deviation);
    });
  });

  test('is the most visited one at a very low temperature, without overflow', () => {
    for (let seed = 0; seed < 20; seed++) expect(choose(root, 1e-3, seed)).toBe(8);
  });
});
