/**
 * `[5]` numbers of pairs in which the first player got 0, ½, 1, 1½ and 2 points. A pair is one opening played twice
 * with colours exchanged; pairs are independent, the games of a pair are not.
 */
export type Pentanomial = readonly number[];

/** The five scores of a pair for the first player, as shares of its two points. */
export const PAIR_SCORES: readonly number[] = [0, 0.25, 0.5, 0.75, 1];

/** Replaces counts of zero in estimates, as in fishtest (`regularize` in its LLRcalc.py). */
const FEW = 1e-3;

/** Counts the points of pairs. */
export function pentanomialOf(pointsOfPairs: Iterable<number>): Pentanomial {
  const counts = [0, 0, 0, 0, 0];
  for (const points of pointsOfPairs) counts[points * 2]! += 1;
  return counts;
}

/** Number of pairs. */
export function countPairs(pentanomial: Pentanomial): number {
  return pentanomial.reduce((sum, count) => sum + count, 0);
}

/** An empirical distribution of the points of a pair, as shares in [0, 1] of its two points. */
export interface PairDistribution {
  /** Number of pairs, replacements for zero counts included. */
  readonly pairs: number;
  /** `[5]` the scores 0, ¼, ½, ¾, 1. */
  readonly scores: readonly number[];
  /** `[5]` positive probabilities. */
  readonly probabilities: readonly number[];
}

/** The distribution of the counts, without zero probabilities. */
export function distributionOf(pentanomial: Pentanomial): PairDistribution {
  const counts = pentanomial.map((count) => (count === 0 ? FEW : count));
  const pairs = countPairs(counts);
  return {
    pairs,
    scores: PAIR_SCORES,
    probabilities: counts.map((count) => count / pairs),
  };
}

/** Mean and variance of scores. */
export function momentsOf(
  scores: readonly number[],
  probabilities: readonly number[],
): { readonly mean: number; readonly variance: number } {
  let mean = 0;
  let variance = 0;
  for (let index = 0; index < scores.length; index++) {
    mean += probabilities[index]! * scores[index]!;
  }
  for (let index = 0; index < scores.length; index++) {
    variance += probabilities[index]! * (scores[index]! - mean) ** 2;
  }
  return { mean, variance };
}
