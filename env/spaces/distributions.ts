import { SpaceError } from '../errors.js';
import type { Rng } from '../random.js';
import { describeValue } from '../text/described-value.js';

/**
 * Samples an index in proportion to its weight, in `O(weights)`. Weights are 0 or more and need not sum to 1.
 * Takes one number from the stream.
 *
 * @param mask 0 excludes an index.
 * @throws SpaceError `sample-options` for a weight that is negative or not finite, `sample-none-allowed` if
 * all are 0.
 */
export function drawWeighted(rng: Rng, weights: ArrayLike<number>, mask?: Uint8Array): number {
  const total = sumWeights(weights, mask);
  let left = rng.float() * total;
  let last = 0;
  for (let index = 0; index < weights.length; index++) {
    const weight = weights[index]!;
    if (weight === 0 || mask?.[index] === 0) continue;
    left -= weight;
    if (left < 0) return index;
    last = index;
  }
  // Rounding can leave a remainder after the last weight.
  return last;
}

function sumWeights(weights: ArrayLike<number>, mask: Uint8Array | undefined): number {
  let total = 0;
  for (let index = 0; index < weights.length; index++) {
    const weight = weights[index]!;
    if (!(weight >= 0 && weight < Infinity)) {
      const found = describeValue(weight);
      throw new SpaceError('sample-options', `expected weights of 0 or more, got ${found} at [${index}]`);
    }
    if (mask?.[index] !== 0) total += weight;
  }
  if (total === 0) {
    throw new SpaceError(
      'sample-none-allowed',
      'expected a positive weight for an allowed element, got none',
    );
  }
  if (total === Infinity) {
    throw new SpaceError('sample-options', 'expected weights with a finite sum, got an infinite one');
  }
  return total;
}
