import type { Rng } from '../../env/random.js';
import { drawNormal } from '../../env/spaces/random-samples.js';
import { power } from '../evaluators/power.js';

/**
 * The logarithm of a Gamma(alpha, 1) sample. In logarithms, because for the small alphas of games with hundreds of
 * moves most samples are below the least positive number.
 *
 * @see Marsaglia & Tsang 2000, "A simple method for generating gamma variables", section 6 for alpha < 1.
 */
function drawLogGamma(alpha: number, rng: Rng): number {
  const boosted = alpha < 1 ? alpha + 1 : alpha;
  const d = boosted - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = drawNormal(rng);
    const v = power(1 + c * x, 3);
    if (v <= 0) continue;
    if (Math.log(1 - rng.float()) >= 0.5 * x * x + d - d * v + d * Math.log(v)) continue;
    const logGamma = Math.log(d * v);
    return boosted === alpha ? logGamma : logGamma + Math.log(1 - rng.float()) / alpha;
  }
}

/** Fills the first `count` of `out` with a sample of the symmetric Dirichlet(alpha) distribution, which sums to 1. */
export function drawDirichlet(alpha: number, count: number, out: Float64Array, rng: Rng): void {
  let greatest = -Infinity;
  for (let i = 0; i < count; i++) {
    out[i] = drawLogGamma(alpha, rng);
    greatest = Math.max(greatest, out[i]!);
  }
  let sum = 0;
  for (let i = 0; i < count; i++) {
    out[i] = Math.exp(out[i]! - greatest);
    sum += out[i]!;
  }
  for (let i = 0; i < count; i++) out[i]! /= sum;
}
