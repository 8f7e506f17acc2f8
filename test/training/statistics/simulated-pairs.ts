import type { Rng } from '../../../env/random.js';
import { scoreOfElo } from '../../../training/statistics/elo.js';
import { type Likelihood, likelihoodOfMean } from '../../../training/statistics/constrained-likelihood.js';
import { distributionOf } from '../../../training/statistics/pentanomial.js';

/** Typical counts of pairs in matches of Gess: many openings that one colour wins, and some draws. */
const TYPICAL = [10, 12, 46, 16, 16];

/** `[5]` the probabilities of the points of a pair between players with a true difference of `elo`. */
export function pairsOfGap(elo: number): Likelihood {
  return likelihoodOfMean(distributionOf(TYPICAL), scoreOfElo(elo));
}

/** The points of a pair, times two: 0..4. */
export function drawPair(probabilities: Likelihood, rng: Rng): number {
  let left = rng.float();
  let index = 0;
  while (index < 4 && left >= probabilities[index]!) left -= probabilities[index++]!;
  return index;
}
