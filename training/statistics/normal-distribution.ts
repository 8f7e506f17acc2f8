/** Standard normal quantile of 97.5 %. */
export const QUANTILE_97_5 = 1.959963984540054;

/** Coefficients of `erfc`. */
const CHEBYSHEV = [
  -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587,
  -0.82215223, 0.17087277,
];

/**
 * Probability that a standard normal variable is below `x`, within 1e-7.
 *
 * @see Press et al., "Numerical Recipes", `erfcc`: a rational Chebyshev fit of the complementary error function.
 */
export function normalProbability(x: number): number {
  const z = Math.abs(x) / Math.SQRT2;
  const t = 1 / (1 + z / 2);
  let exponent = 0;
  for (let index = CHEBYSHEV.length - 1; index >= 0; index--) exponent = exponent * t + CHEBYSHEV[index]!;
  const tail = (t * Math.exp(-z * z + exponent)) / 2;
  return x < 0 ? tail : 1 - tail;
}
