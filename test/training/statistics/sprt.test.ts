import { describe, expect, test } from 'vitest';
import { isLong } from '../../long-tests.js';
import { createRng } from '../../../env/random.js';
import {
  logLikelihoodRatio,
  sprtBounds,
  SprtSettings,
  sprtState,
} from '../../../training/statistics/sprt.js';
import { likelihoodOfDeviations } from '../../../training/statistics/constrained-likelihood.js';
import { ELO_A_DEVIATION } from '../../../training/statistics/normalized-elo.js';
import { distributionOf, momentsOf, PAIR_SCORES } from '../../../training/statistics/pentanomial.js';
import { drawPair, pairsOfGap } from './simulated-pairs.js';

/** The error rates are measured on 10,000 streams with LONG_TESTS=1. */
const STREAMS = isLong ? 10_000 : 400;

describe('published log-likelihood ratios', () => {
  // The pentanomial cases of Disservin/fastchess, app/tests/sprt_test.cpp at 74deac23, within its tolerance of 1 %.
  test.each([
    { pentanomial: [365, 16618, 36229, 16974, 390], elo0: 0, elo1: 2, scale: 'normalized', published: 2.25 },
    {
      pentanomial: [127, 4883, 10712, 5150, 104],
      elo0: -1.75,
      elo1: 0.25,
      scale: 'normalized',
      published: 3.01,
    },
    { pentanomial: [0, 0, 0, 0, 5550], elo0: 0, elo1: 5, scale: 'normalized', published: 111.82 },
    { pentanomial: [223, 9863, 21279, 10037, 246], elo0: 0.5, elo1: 2.5, scale: 'elo', published: -3.07 },
    { pentanomial: [871, 26175, 55983, 26678, 821], elo0: 0, elo1: 2, scale: 'elo', published: -4.98 },
  ] as const)('fastchess: $published', ({ pentanomial, published, ...hypotheses }) => {
    const llr = logLikelihoodRatio(pentanomial, hypotheses);
    expect(Math.abs(llr / published - 1)).toBeLessThan(0.01);
  });

  // Results of fishtest quoted in pull requests 6019 and 4194 of official-stockfish/Stockfish, rounded to two digits.
  test.each([
    [[320, 12431, 27275, 12858, 316], 0, 2, 2.95],
    [[197, 45541, 117722, 46579, 228], 0.5, 2.5, 2.96],
    [[371, 10263, 24989, 10642, 379], 0, 2, 2.95],
    [[47, 8181, 25234, 8575, 47], 0.5, 2.5, 2.94],
  ] as const)('fishtest: %j, %d to %d', (pentanomial, elo0, elo1, published) => {
    const llr = logLikelihoodRatio(pentanomial, { elo0, elo1, scale: 'normalized' });
    expect(Math.abs(llr - published)).toBeLessThan(0.01);
  });

  test('fishtest: the bounds of alpha and beta 5 %', () => {
    const [low, high] = sprtBounds({ alpha: 0.05, beta: 0.05 });
    expect(low).toBeCloseTo(-2.94, 2);
    expect(high).toBeCloseTo(2.94, 2);
  });
});

test('exchanging players and hypotheses negates the ratio', () => {
  for (const scale of ['elo', 'normalized'] as const) {
    const one = logLikelihoodRatio([3, 9, 30, 14, 8], { elo0: -5, elo1: 40, scale });
    const other = logLikelihoodRatio([8, 14, 30, 9, 3], { elo0: -40, elo1: 5, scale });
    expect(other).toBeCloseTo(-one, 6);
  }
});

test('normalised differences of any size are compared', () => {
  for (const elo1 of [100, 231, 240, 300, 500, 1000]) {
    for (const wins of [
      [0, 0, 0, 0, 2],
      [3, 9, 30, 14, 8],
      [1, 0, 0, 0, 0],
      [0, 0, 1, 40, 60],
    ]) {
      const ratio = logLikelihoodRatio(wins, { elo0: 0, elo1, scale: 'normalized' });
      expect(Number.isFinite(ratio)).toBe(true);
      // A match won throughout speaks for the greater difference, one lost or drawn against it.
      if (wins[4] === 2) expect(ratio).toBeGreaterThan(0);
      if (wins[0] === 1) expect(ratio).toBeLessThan(0);
    }
  }
});

test.each([50, 230, 300, 500, 1000, -300])('a distribution has %d normalised Elo', (elo) => {
  const deviations = (Math.SQRT2 * elo) / ELO_A_DEVIATION;
  for (const counts of [
    [3, 9, 30, 14, 8],
    [0, 0, 0, 0, 2],
    [40, 0, 0, 0, 1],
  ]) {
    const likelihood = likelihoodOfDeviations(distributionOf(counts), deviations);
    const { mean, variance } = momentsOf(PAIR_SCORES, likelihood);
    expect(likelihood.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 8);
    expect((mean - 0.5) / Math.sqrt(variance)).toBeCloseTo(deviations, 6);
  }
});

test('bounds in the wrong order and impossible error rates are refused', () => {
  expect(SprtSettings.safeParse({ elo0: 20, elo1: 0 }).success).toBe(false);
  expect(SprtSettings.safeParse({ elo0: 0, elo1: 20, alpha: 0 }).success).toBe(false);
  expect(SprtSettings.safeParse({ elo0: 0, elo1: 20, beta: 0.5 }).success).toBe(false);
});

/** Share of the streams of pairs with a true difference of `elo` in which the test accepts H1. */
function acceptedShare(elo: number, settings: SprtSettings): number {
  const probabilities = pairsOfGap(elo);
  let accepted = 0;
  for (let stream = 0; stream < STREAMS; stream++) {
    const rng = createRng(1, 'sprt', stream);
    const counts = [0, 0, 0, 0, 0];
    let hypothesis: 'H0' | 'H1' | null = null;
    while (hypothesis === null) {
      counts[drawPair(probabilities, rng)]! += 1;
      hypothesis = sprtState(counts, settings).accepted;
    }
    if (hypothesis === 'H1') accepted += 1;
  }
  return accepted / STREAMS;
}

test('simulated streams keep the error rates', () => {
  const settings = SprtSettings.parse({ elo0: 0, elo1: 80 });
  // Three standard deviations of the measured share.
  const slack = 3 * Math.sqrt((0.05 * 0.95) / STREAMS);
  expect(acceptedShare(0, settings)).toBeLessThan(0.05 + slack);
  expect(acceptedShare(80, settings)).toBeGreaterThan(0.95 - slack);
});
