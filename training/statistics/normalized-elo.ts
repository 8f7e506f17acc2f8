import { normalProbability, QUANTILE_97_5 } from './normal-distribution.js';
import { countPairs, distributionOf, momentsOf, type Pentanomial } from './pentanomial.js';

/** Normalised Elo of one standard deviation of a game. */
export const ELO_A_DEVIATION = 800 / Math.LN10;

/** Least pairs from which the spread of their points, and what depends on it, means something. */
export const LEAST_PAIRS = 10;

/** Normalised Elo and likelihood of superiority of a match. */
interface NormalizedElo {
  readonly normalizedElo: number;
  readonly normalizedEloError: number;
  /** Null for fewer than `LEAST_PAIRS` pairs. */
  readonly superiority: number | null;
}

/**
 * The score above one half in standard deviations of a game, in units of Elo, half the width of its 95 % interval, and
 * the probability that the first player is the stronger one.
 *
 * @see Van den Bergh, "Normalized Elo", https://www.cantate.be/Fishtest/normalized_elo.pdf; `get_elo` of fishtest's
 * stat_util.py for the likelihood of superiority.
 */
export function normalizedElo(pentanomial: Pentanomial): NormalizedElo {
  const { scores, probabilities } = distributionOf(pentanomial);
  const { mean, variance } = momentsOf(scores, probabilities);
  const pairs = countPairs(pentanomial);
  // The variance of a pair's score is half that of a game.
  const deviations = (mean - 0.5) / Math.sqrt(2 * variance);
  return {
    normalizedElo: deviations * ELO_A_DEVIATION,
    normalizedEloError: (QUANTILE_97_5 * ELO_A_DEVIATION) / Math.sqrt(2 * pairs),
    superiority: pairs < LEAST_PAIRS ? null : normalProbability(deviations * Math.sqrt(2 * pairs)),
  };
}
