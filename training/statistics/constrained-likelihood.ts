import { momentsOf, type PairDistribution } from './pentanomial.js';

/** `[5]` probabilities of the scores of a pair. */
export type Likelihood = readonly number[];

/** Halvings of the interval that contains the root; enough for full floating-point precision. */
const HALVINGS = 60;
/** Most iterations towards the fixed point, and the change at which it counts as reached. */
const MOST_ITERATIONS = 200;
const SMALL_CHANGE = 1e-9;

/**
 * Solves `sum of p_i a_i / (1 + x a_i) = 0`, whose left side falls between its poles.
 *
 * @param weights `a_i`, some below and some above 0.
 */
function solveSecular(probabilities: readonly number[], weights: readonly number[]): number {
  let low = -1 / Math.max(...weights);
  let high = -1 / Math.min(...weights);
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    let sum = 0;
    for (let index = 0; index < weights.length; index++) {
      sum += (probabilities[index]! * weights[index]!) / (1 + middle * weights[index]!);
    }
    if (sum > 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The most likely distribution under which the mean of `weights` is 0. */
function mostLikely(probabilities: readonly number[], weights: readonly number[]): Likelihood {
  const x = solveSecular(probabilities, weights);
  return probabilities.map((share, index) => share / (1 + x * weights[index]!));
}

/**
 * The most likely distribution with the mean `score`, in (0, 1).
 *
 * @see Van den Bergh, https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf, proposition 1.1.
 */
export function likelihoodOfMean({ scores, probabilities }: PairDistribution, score: number): Likelihood {
  return mostLikely(
    probabilities,
    scores.map((each) => each - score),
  );
}

/**
 * A distribution of the extreme scores whose mean is this number of standard deviations above one half. Weights about
 * it have both signs for any number; about the uniform distribution they do only up to 0.94.
 */
function extremesOf(scores: readonly number[], deviations: number): Likelihood {
  const win = (1 + deviations / Math.hypot(1, deviations)) / 2;
  return scores.map((_score, index) => (index === 0 ? 1 - win : index === scores.length - 1 ? win : 0));
}

/**
 * The most likely distribution whose mean is this number of standard deviations above one half.
 *
 * @see Van den Bergh, https://www.cantate.be/Fishtest/normalized_elo_practical.pdf, section 4.1.
 */
export function likelihoodOfDeviations(
  { scores, probabilities }: PairDistribution,
  deviations: number,
): Likelihood {
  let likelihood = extremesOf(scores, deviations);
  for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    const { mean, variance } = momentsOf(scores, likelihood);
    const sigma = Math.sqrt(variance);
    const weights = scores.map(
      (score) => score - 0.5 - (deviations * sigma * (1 + ((mean - score) / sigma) ** 2)) / 2,
    );
    const next = mostLikely(probabilities, weights);
    const change = Math.max(...next.map((share, index) => Math.abs(share - likelihood[index]!)));
    likelihood = next;
    if (change < SMALL_CHANGE) break;
  }
  return likelihood;
}
