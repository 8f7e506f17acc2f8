import * as z from 'zod';
import { QUANTILE_97_5 } from './normal-distribution.js';
import { normalizedElo } from './normalized-elo.js';
import { countPairs, momentsOf, PAIR_SCORES, type Pentanomial } from './pentanomial.js';

/** The difference in strength of two players, estimated from a match, from the first player's view. */
export const EloEstimate = z.strictObject({
  /** Points over games, in [0, 1]; a draw or truncated game is half a point. */
  score: z.number().min(0).max(1),
  /** Elo difference; if one player won every game, that of a score half a game closer to even. */
  elo: z.number(),
  /** 95 % interval of the Elo difference; null: unbounded. */
  eloLow: z.number().nullable(),
  eloHigh: z.number().nullable(),
  /** Normalised Elo difference: independent of the share of draws and of the openings. */
  normalizedElo: z.number(),
  /** Half the width of its 95 % interval. */
  normalizedEloError: z.number().min(0),
  /**
   * Likelihood of superiority: the probability, in [0, 1], that the first player is the stronger one; null for fewer than
   * ten pairs, except in files of version 1.0.0.
   */
  superiority: z.number().min(0).max(1).nullable(),
});
export type EloEstimate = z.infer<typeof EloEstimate>;

/** Elo difference at which the expected points per game are `score`, in (0, 1). */
export function eloOfScore(score: number): number {
  return -400 * Math.log10(1 / score - 1);
}

/** Expected points per game, in (0, 1), at an Elo difference. */
export function scoreOfElo(elo: number): number {
  return 1 / (1 + 10 ** (-elo / 400));
}

/** The Elo difference at a bound of the score; null instead of infinity. */
function boundOfScore(score: number): number | null {
  return score <= 0 || score >= 1 ? null : eloOfScore(score);
}

/**
 * Estimates the Elo difference from a match in pairs of games. Its error follows from the spread of the pairs' points.
 *
 * @param pentanomial five counts of pairs, at least one pair in all; without a pair, the figures are no numbers.
 * @see Wilson 1927, "Probable inference, the law of succession, and statistical inference"; treating pairs as units
 *   follows the pentanomial model of the Stockfish project's fishtest.
 */
export function estimateElo(pentanomial: Pentanomial): EloEstimate {
  const pairs = countPairs(pentanomial);
  const { mean: score, variance } = momentsOf(
    PAIR_SCORES,
    pentanomial.map((count) => count / pairs),
  );
  const decisive = score * (1 - score);
  // The number of independent decisive games with the same accuracy. A virtual pair with the largest spread keeps the
  // accuracy finite if all pairs had the same points.
  const effective = decisive === 0 ? pairs : (pairs * decisive * (pairs + 1)) / (pairs * variance + decisive);
  const square = QUANTILE_97_5 ** 2;
  const centre = (score + square / (2 * effective)) / (1 + square / effective);
  const half =
    (QUANTILE_97_5 * Math.sqrt(decisive / effective + square / (4 * effective ** 2))) /
    (1 + square / effective);
  const margin = 0.25 / pairs;
  return {
    score,
    elo: eloOfScore(Math.min(Math.max(score, margin), 1 - margin)),
    eloLow: boundOfScore(score === 0 ? 0 : centre - half),
    eloHigh: boundOfScore(score === 1 ? 1 : centre + half),
    ...normalizedElo(pentanomial),
  };
}
