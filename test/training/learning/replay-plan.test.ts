import { describe, expect, test } from 'vitest';
import { ReplayConfig } from '../../../training/config/groups/replay-config.js';
import {
  planReplay,
  powerLawRows,
  type PastGeneration,
  type ReplayPlan,
} from '../../../training/learning/replay-plan.js';

const KATAGO = { rows: 250_000, exponent: 0.75, slope: 0.4 };

/** Plans of generations 1, 2, … with `rows` rows each; each generation draws `passes * rows` samples. */
function plans(
  config: object,
  { count = 12, rows = 100, passes = 4, hasWarmStart = false } = {},
): ReplayPlan[] {
  const past: PastGeneration[] = [];
  return Array.from({ length: count }, (_, i) => {
    const now = { generation: i + 1, rows };
    const plan = planReplay(ReplayConfig.parse(config), past, now, hasWarmStart);
    const trainingRows = plan.generations.length * rows;
    const replay = {
      ...plan,
      trainingRows,
      passes: (passes * rows * (1 - plan.warmStartShare)) / trainingRows,
    };
    past.push({ ...now, replay });
    return plan;
  });
}

describe('the power law', () => {
  test('returns the published window: about 22 million rows at 241 million', () => {
    // Wu 2019, appendix C; the run ended with 241 million rows.
    expect(powerLawRows(241e6, KATAGO)).toBeGreaterThan(20e6);
    expect(powerLawRows(241e6, KATAGO)).toBeLessThan(24e6);
  });

  test('contains all rows up to c, and grows with the slope from there', () => {
    expect(powerLawRows(1000, KATAGO)).toBe(1000);
    expect(powerLawRows(250_000, KATAGO)).toBe(250_000);
    expect((powerLawRows(251_000, KATAGO) - 250_000) / 1000).toBeCloseTo(0.4, 2);
  });
});

test('by default the newest eight generations are in the window', () => {
  const found = plans({}).map(({ generations }) => generations);
  expect(found[0]).toEqual([1]);
  expect(found[7]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(found[11]).toEqual([5, 6, 7, 8, 9, 10, 11, 12]);
});

test('a window by the power law holds the required number of whole generations', () => {
  const window = { kind: 'power', rows: 300, exponent: 0.5, slope: 0.5 };
  const sizes = plans({ window }, { passes: 1 }).map(({ generations }) => generations.length);
  expect(sizes.slice(0, 3)).toEqual([1, 2, 3]);
  sizes.forEach((size, i) => {
    expect(size).toBe(Math.ceil(powerLawRows((i + 1) * 100, { rows: 300, exponent: 0.5, slope: 0.5 }) / 100));
  });
});

test('generations that were sampled often enough leave the window, except the newest', () => {
  const found = plans({ maxPasses: 5 }).map(({ generations }) => generations);
  // 4 passes alone, 2 in a window of two: 6 are enough.
  expect(found.slice(0, 3)).toEqual([[1], [1, 2], [2, 3]]);
  for (const [i, generations] of plans({ maxPasses: 0.1 }).entries()) {
    expect(generations.generations).toEqual([i + 1]);
  }
});

test('the share of the warm start decays until it is gone', () => {
  const config = { warmStartShare: 0.2, warmStartDecay: 0.5, windowGenerations: 2 };
  const found = plans(config, { hasWarmStart: true });
  expect(found[0]).toEqual({ generations: [1], warmStartShare: 0 });
  expect(found.slice(1, 4).map(({ warmStartShare }) => warmStartShare)).toEqual([0.2, 0.1, 0.05]);
  expect(found[3]!.generations).toEqual([3, 4]);
  expect(found[1]!.generations).toEqual([2]);
  expect(found[9]!.warmStartShare).toBe(0);
  // Without a warm start the setting has no effect.
  expect(plans(config)[2]).toEqual({ generations: [2, 3], warmStartShare: 0 });
});
