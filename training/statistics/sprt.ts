import * as z from 'zod';
import { scoreOfElo } from './elo.js';
import { type Likelihood, likelihoodOfMean, likelihoodOfDeviations } from './constrained-likelihood.js';
import { ELO_A_DEVIATION } from './normalized-elo.js';
import { distributionOf, type Pentanomial } from './pentanomial.js';

const errorRate = z.number().gt(0).lt(0.5);

/** Settings of a sequential test of two hypotheses on the Elo difference: H0 `elo0`, H1 `elo1`. */
export const SprtSettings = z
  .strictObject({
    elo0: z.number().min(-1000).max(1000),
    elo1: z.number().min(-1000).max(1000),
    /** Probability of accepting H1 if H0 holds. */
    alpha: errorRate.default(0.05),
    /** Probability of accepting H0 if H1 holds. */
    beta: errorRate.default(0.05),
    /** The scale of `elo0` and `elo1`: Elo, or normalised Elo as in fishtest. */
    scale: z.enum(['elo', 'normalized']).default('elo'),
  })
  .refine(({ elo0, elo1 }) => elo0 < elo1, { error: 'expected elo0 below elo1' });
export type SprtSettings = z.infer<typeof SprtSettings>;

/** State of a sequential test. */
export const SprtState = z.strictObject({
  /** Log-likelihood ratio of H1 to H0. */
  llr: z.number(),
  /** Bounds; the test ends at the first pair after which the ratio is not between them. */
  llrLow: z.number(),
  llrHigh: z.number(),
  /** The accepted hypothesis; null: undecided. */
  accepted: z.enum(['H0', 'H1']).nullable(),
});
export type SprtState = z.infer<typeof SprtState>;

function likelihoodUnder(elo: number, scale: SprtSettings['scale'], pentanomial: Pentanomial): Likelihood {
  const distribution = distributionOf(pentanomial);
  if (scale === 'elo') return likelihoodOfMean(distribution, scoreOfElo(elo));
  // The standard deviation of a pair's score is that of a game's divided by the square root of two.
  return likelihoodOfDeviations(distribution, (Math.SQRT2 * elo) / ELO_A_DEVIATION);
}

/**
 * The generalised log-likelihood ratio of `elo1` to `elo0`: that of the most likely distributions of pairs with these
 * differences.
 *
 * @see fishtest, server/fishtest/stats/LLRcalc.py, `LLR_logistic` and `LLR_normalized`; Van den Bergh, "Comments on
 * normalized Elo", https://www.cantate.be/Fishtest/normalized_elo_practical.pdf.
 */
export function logLikelihoodRatio(
  pentanomial: Pentanomial,
  { elo0, elo1, scale }: Pick<SprtSettings, 'elo0' | 'elo1' | 'scale'>,
): number {
  const { pairs, probabilities } = distributionOf(pentanomial);
  const first = likelihoodUnder(elo0, scale, pentanomial);
  const second = likelihoodUnder(elo1, scale, pentanomial);
  return (
    pairs *
    probabilities.reduce((sum, share, index) => sum + share * Math.log(second[index]! / first[index]!), 0)
  );
}

/** The bounds of the log-likelihood ratio (Wald 1945, "Sequential tests of statistical hypotheses"). */
export function sprtBounds({ alpha, beta }: Pick<SprtSettings, 'alpha' | 'beta'>): readonly [number, number] {
  return [Math.log(beta / (1 - alpha)), Math.log((1 - beta) / alpha)];
}

/** The state of a test after these pairs. It must have been undecided after each of the earlier pairs. */
export function sprtState(pentanomial: Pentanomial, settings: SprtSettings): SprtState {
  const [llrLow, llrHigh] = sprtBounds(settings);
  const llr = logLikelihoodRatio(pentanomial, settings);
  return { llr, llrLow, llrHigh, accepted: llr >= llrHigh ? 'H1' : llr <= llrLow ? 'H0' : null };
}
