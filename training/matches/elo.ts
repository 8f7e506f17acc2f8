import * as z from 'zod';

/**
 * The difference in strength of two players, estimated from a match, from the first player's view.
 *
 * @see Wilson 1927, "Probable inference, the law of succession, and statistical inference"; the pairs as
 * units follow the pentanomial model of the Stockfish project's fishtest.
 */
export const EloEstimate = z.strictObject({
  /** Points over games, in [0, 1]; a draw or truncated game is half a point. */
  score: z.number().min(0).max(1),
  /** Elo difference; if every game was won or lost, that of a score half a game away. */
  elo: z.number(),
  /** 95 % interval of the Elo difference; null: unbounded. */
  eloLow: z.number().nullable(),
  eloHigh: z.number().nullable(),
});
export type EloEstimate = z.infer<typeof EloEstimate>;

/** Standard normal quantile of 97.5 %. */
const Z = 1.959963984540054;

/** Elo difference at which the expected points per game are `score`, in (0, 1). */
export function eloOfScore(score: number): number {
  return -400 * Math.log10(1 / score - 1);
}

/** The Elo difference of a bound of the score; null instead of infinity. */
function boundOfScore(score: number): number | null {
  return score <= 0 || score >= 1 ? null : eloOfScore(score);
}

/**
 * Estimates the Elo difference from a match in pairs of games, each pair one opening with colours exchanged. Pairs are
 * independent, the games of a pair are not: the error is estimated from the spread of the pairs' points.
 *
 * @param pentanomial numbers of pairs with 0, ½, 1, 1½ and 2 points; at least one pair in all.
 */
export function estimateElo(pentanomial: readonly number[]): EloEstimate {
  const pairs = pentanomial.reduce((sum, count) => sum + count, 0);
  const meanOf = (value: (points: number) => number): number =>
    pentanomial.reduce((sum, count, index) => sum + count * value(index / 4), 0) / pairs;
  const score = meanOf((points) => points);
  const spread = meanOf((points) => (points - score) ** 2);
  const decisive = score * (1 - score);
  // The number of independent decisive games with the same accuracy. A virtual pair of the largest spread keeps the
  // accuracy finite where all pairs had the same points.
  const effective = decisive === 0 ? pairs : (pairs * decisive * (pairs + 1)) / (pairs * spread + decisive);
  const centre = (score + Z ** 2 / (2 * effective)) / (1 + Z ** 2 / effective);
  const half =
    (Z * Math.sqrt(decisive / effective + Z ** 2 / (4 * effective ** 2))) / (1 + Z ** 2 / effective);
  const margin = 0.25 / pairs;
  return {
    score,
    elo: eloOfScore(Math.min(Math.max(score, margin), 1 - margin)),
    eloLow: boundOfScore(score === 0 ? 0 : centre - half),
    eloHigh: boundOfScore(score === 1 ? 1 : centre + half),
  };
}
