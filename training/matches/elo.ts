import { z } from 'zod';

/**
 * What a match says of two players' strength. Wins, draws and losses are the first player's.
 *
 * @see Wilson 1927, "Probable inference, the law of succession, and statistical inference"; the pairs as
 * units follow the pentanomial model of the Stockfish project's fishtest.
 */
export const EloEstimate = z.strictObject({
  /** Points over games, in [0, 1]; a draw or truncated game is half a point. */
  score: z.number().min(0).max(1),
  /** Elo difference; where every game was won or lost, that of half a game less or more. */
  elo: z.number(),
  /** 95 % interval of the Elo difference; null where it has no bound. */
  eloLow: z.number().nullable(),
  eloHigh: z.number().nullable(),
});
export type EloEstimate = z.infer<typeof EloEstimate>;

/** Standard normal quantile of 97.5 %. */
const Z = 1.959963984540054;

/** Elo difference at which a player is expected to score `score`, in (0, 1), points a game. */
export function eloOfScore(score: number): number {
  return -400 * Math.log10(1 / score - 1);
}

/** Null instead of an infinite Elo. */
function boundOfScore(score: number): number | null {
  return score <= 0 || score >= 1 ? null : eloOfScore(score);
}

/**
 * The Elo difference from a match in pairs of games, each pair one opening with colours exchanged. Games of
 * a pair are not independent, pairs are: so the error comes from the spread of the pairs' points.
 *
 * @param pentanomial how many pairs brought 0, ½, 1, 1½ and 2 points; at least one pair in all.
 */
export function estimateElo(pentanomial: readonly number[]): EloEstimate {
  const pairs = pentanomial.reduce((sum, count) => sum + count, 0);
  const meanOf = (value: (points: number) => number): number =>
    pentanomial.reduce((sum, count, index) => sum + count * value(index / 4), 0) / pairs;
  const score = meanOf((points) => points);
  const spread = meanOf((points) => (points - score) ** 2);
  const decisive = score * (1 - score);
  // How many decisive independent games would be as exact. A virtual pair of the greatest spread keeps a
  // match whose pairs were all alike from looking infinitely exact.
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
