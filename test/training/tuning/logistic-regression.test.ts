import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRng } from '../../../env/random.js';
import { crossEntropy, fitLogistic, type FittingRows } from '../../../training/tuning/logistic-regression.js';

/** Rows whose results are sampled with the probabilities of the weights `truth`. */
function drawRows(truth: readonly number[], rows: number, seed: number): FittingRows {
  const rng = createRng(seed, 'rows');
  const terms = truth.length;
  const features = Float64Array.from({ length: rows * terms }, () => 4 * rng.float() - 2);
  const results = Float64Array.from({ length: rows }, (_, row) => {
    const logit = truth.reduce((sum, weight, term) => sum + weight * features[row * terms + term]!, 0);
    return rng.float() < 1 / (1 + Math.exp(-logit)) ? 1 : 0;
  });
  return { rows, terms, features, results };
}

const options = (
  start: readonly number[],
  pull = 0,
): { start: Float64Array; pull: number; iterations: number } => ({
  start: Float64Array.from(start),
  pull,
  iterations: 12,
});

test('recovers the weights that generated the results', () => {
  const truth = [1, -0.5, 0.25];
  const weights = fitLogistic(drawRows(truth, 20_000, 1), options([0, 0, 0]));
  for (const [term, weight] of weights.entries()) expect(Math.abs(weight - truth[term]!)).toBeLessThan(0.06);
});

test('the fit is a local minimum of the loss', () => {
  fc.assert(
    fc.property(
      fc.nat(1000),
      fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 2, maxLength: 4 }),
      (seed, truth) => {
        const rows = drawRows(truth, 400, seed);
        const weights = fitLogistic(rows, options(truth.map(() => 0)));
        const best = crossEntropy(rows, weights);
        expect(best).toBeLessThanOrEqual(crossEntropy(rows, Float64Array.from(truth)) + 1e-9);
        for (const term of truth.keys()) {
          for (const step of [-0.05, 0.05]) {
            const other = Float64Array.from(weights);
            other[term]! += step;
            expect(crossEntropy(rows, other)).toBeGreaterThan(best);
          }
        }
      },
    ),
  );
});

test('weights without evidence, or with a strong pull, stay at their start', () => {
  const rows = drawRows([1, 0], 2000, 3);
  for (let row = 0; row < rows.rows; row++) rows.features[2 * row + 1] = 0;
  expect(fitLogistic(rows, options([0.5, 7], 1))[1]).toBeCloseTo(7, 6);
  const free = fitLogistic(rows, options([0, 0], 1e-6))[0]!;
  const pulled = fitLogistic(rows, options([0, 0], 300))[0]!;
  expect(pulled).toBeGreaterThan(0);
  expect(pulled).toBeLessThan(free - 0.1);
});

test('the cross-entropy of a coin flip is log 2', () => {
  expect(crossEntropy(drawRows([1, 1], 50, 4), new Float64Array(2))).toBeCloseTo(Math.LN2, 12);
});
