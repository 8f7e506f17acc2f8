import { expect, test } from 'vitest';
import { WeightAverage } from '../../../../training/learning/optimizer/weight-average.js';

function averageOf(average: WeightAverage, weights: readonly number[], firstStep = 1): number {
  weights.forEach((weight, i) => {
    average.add(Float32Array.of(weight), {
      step: i + 1,
      steps: weights.length,
      optimizerStep: firstStep + i,
    });
  });
  return average.weights[0]!;
}

test('a stochastic average is the mean of the weights at every n-th step of the last part', () => {
  const config = { kind: 'stochastic', fromShare: 0.5, everySteps: 2 } as const;
  // Steps 4, 6 and 8 of eight.
  expect(averageOf(new WeightAverage(config, Float32Array.of(99)), [1, 2, 3, 40, 5, 60, 7, 80])).toBeCloseTo(
    60,
    5,
  );
  // Too short for more than the last.
  expect(averageOf(new WeightAverage({ ...config, everySteps: 100 }, Float32Array.of(99)), [1, 2])).toBe(2);
  const from = Float32Array.of(5);
  expect(averageOf(new WeightAverage(config, from), [])).toBe(5);
});

test('an exponential average forgets by its decay, and quickly at the beginning of a run', () => {
  const late = new WeightAverage({ kind: 'exponential', decay: 0.9 }, Float32Array.of(1));
  expect(averageOf(late, [2, 3], 1e6)).toBeCloseTo(0.81 + 0.09 * 2 + 0.1 * 3, 6);
  const early = new WeightAverage({ kind: 'exponential', decay: 0.9 }, Float32Array.of(1));
  expect(averageOf(early, [2])).toBeCloseTo((2 / 11) * 1 + (9 / 11) * 2, 6);
});

test('what it began from stays as it is', () => {
  const from = Float32Array.of(1);
  averageOf(new WeightAverage({ kind: 'exponential', decay: 0.5 }, from), [7, 8, 9]);
  expect(from[0]).toBe(1);
});
