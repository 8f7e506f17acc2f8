import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRng } from '../../../env/random.js';
import { EloEstimate, eloOfScore, estimateElo } from '../../../training/statistics/elo.js';
import { drawPair, pairsOfGap } from './simulated-pairs.js';

const pentanomials = fc
  .array(fc.nat(50), { minLength: 5, maxLength: 5 })
  .filter((counts) => counts.some((count) => count > 0));

test('the published scale: 76 % is about 200 Elo, half the points is 0', () => {
  expect(eloOfScore(0.5)).toBeCloseTo(0, 12);
  // Elo's formula: 1 / (1 + 10^(-200/400)).
  expect(eloOfScore(1 / (1 + 10 ** -0.5))).toBeCloseTo(200, 9);
});

test('many decisive independent pairs have the interval of the normal approximation', () => {
  // Binomial pairs at 60 %: 16 % lose both, 48 % split, 36 % win both; 20,000 games, standard error 0.00346.
  const { score, eloLow, eloHigh } = estimateElo([1600, 0, 4800, 0, 3600]);
  expect(score).toBeCloseTo(0.6, 12);
  expect(eloLow).toBeCloseTo(eloOfScore(0.6 - 1.96 * 0.003464), 0);
  expect(eloHigh).toBeCloseTo(eloOfScore(0.6 + 1.96 * 0.003464), 0);
});

test('pairs that always split are more accurate than independent games', () => {
  const split = estimateElo([0, 0, 100, 0, 0]);
  const independent = estimateElo([25, 0, 50, 0, 25]);
  expect(split.eloHigh! - split.eloLow!).toBeLessThan((independent.eloHigh! - independent.eloLow!) / 2);
});

test('a perfect score has a lower bound only', () => {
  const { elo, eloLow, eloHigh } = estimateElo([0, 0, 0, 0, 20]);
  expect(eloHigh).toBeNull();
  expect(eloLow).toBeGreaterThan(200);
  expect(elo).toBeGreaterThan(eloLow!);
});

test('the interval contains the estimate and is negated when players are swapped', () => {
  fc.assert(
    fc.property(pentanomials, (counts) => {
      const one = estimateElo(counts);
      const other = estimateElo([...counts].reverse());
      expect(other.elo).toBeCloseTo(-one.elo, 6);
      if (one.eloLow !== null) expect(one.eloLow).toBeLessThan(one.elo);
      if (one.eloHigh !== null) expect(one.eloHigh).toBeGreaterThan(one.elo);
      if (one.eloLow !== null) expect(other.eloHigh).toBeCloseTo(-one.eloLow, 6);
    }),
  );
});

test('more pairs of the same kind narrow the interval', () => {
  fc.assert(
    fc.property(pentanomials, (counts) => {
      const width = (factor: number): number => {
        const { eloLow, eloHigh } = estimateElo(counts.map((count) => count * factor));
        return (eloHigh ?? Infinity) - (eloLow ?? -Infinity);
      };
      fc.pre(Number.isFinite(width(1)));
      expect(width(4)).toBeLessThan(width(1));
    }),
  );
});

test.each([
  // The pentanomial cases of Disservin/fastchess, app/tests/elo_test.cpp at 74deac23, within its tolerance of 1 %.
  {
    pentanomial: [34, 54, 63, 64, 75],
    published: { elo: 55.58, eloError: 27.65, normalized: 57.94, normalizedError: 28.28, superiority: 1 },
  },
  {
    pentanomial: [332, 433, 498, 333, 334],
    published: {
      elo: -8.64,
      eloError: 10.33,
      normalized: -9.17,
      normalizedError: 10.96,
      superiority: 0.0505,
    },
  },
  {
    pentanomial: [7895, 8757, 5685, 568, 9999],
    published: { elo: -21.04, eloError: 2.95, normalized: -19.01, normalizedError: 2.65, superiority: 0 },
  },
])('the published figures of fastchess: $pentanomial', ({ pentanomial, published }) => {
  const found = estimateElo(pentanomial);
  const near = (value: number, expected: number): void => {
    expect(Math.abs(value / expected - 1)).toBeLessThan(0.01);
  };
  near(found.elo, published.elo);
  near((found.eloHigh! - found.eloLow!) / 2, published.eloError);
  near(found.normalizedElo, published.normalized);
  near(found.normalizedEloError, published.normalizedError);
  expect(found.superiority).toBeCloseTo(published.superiority, 4);
});

test('fewer than ten pairs give no likelihood of superiority; files of 1.0.0 have one', () => {
  const few = estimateElo([9, 0, 0, 0, 0]);
  expect(few.superiority).toBeNull();
  expect(estimateElo([10, 0, 0, 0, 0]).superiority).toBeLessThan(0.001);
  for (const superiority of [null, 0.5]) EloEstimate.parse({ ...few, superiority });
});

test('the interval of a 100-Elo gap covers it in 94 to 96 % of 2,000 matches', () => {
  const probabilities = pairsOfGap(100);
  let covered = 0;
  for (let match = 0; match < 2_000; match++) {
    const rng = createRng(3, 'coverage', match);
    const counts = [0, 0, 0, 0, 0];
    for (let pair = 0; pair < 100; pair++) counts[drawPair(probabilities, rng)]! += 1;
    const { eloLow, eloHigh } = estimateElo(counts);
    if (eloLow! <= 100 && eloHigh! >= 100) covered += 1;
  }
  expect(covered / 2_000).toBeGreaterThanOrEqual(0.94);
  expect(covered / 2_000).toBeLessThanOrEqual(0.96);
});
