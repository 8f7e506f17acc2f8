import type { Rng } from '../random.js';

/** Samples the exponential distribution of mean 1 by inversion; finite, 0 or more. */
export function drawExponential(rng: Rng): number {
  // 0 - … because -log(1) is -0.
  return 0 - Math.log(1 - rng.float());
}

/**
 * Samples the standard normal distribution; takes two numbers from the stream.
 *
 * @see Box and Muller 1958, "A note on the generation of random normal deviates".
 */
export function drawNormal(rng: Rng): number {
  const radius = Math.sqrt(2 * drawExponential(rng));
  return radius * Math.cos(2 * Math.PI * rng.float());
}
