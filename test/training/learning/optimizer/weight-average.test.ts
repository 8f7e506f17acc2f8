import { expect, test } from 'vitest';
import { WeightAverage } from '../../../../training/learning/optimizer/weight-average.js';

function averageOf(average: WeightAverage, weights: readonly number[], firstStep = 1): number {
  for (const [i, weight] of weights.entries()) average.add(Float32Array.of(weight), firstStep + i);
  return average.weights[0]!;
}

test('the average forgets at its decay rate, and faster at the beginning of a run', () => {
  const late = new WeightAverage(0.9, Float32Array.of(1));
  expect(averageOf(late, [2, 3], 1e6)).toBeCloseTo(0.81 + 0.09 * 2 + 0.1 * 3, 6);
  const early = new WeightAverage(0.9, Float32Array.of(1));
  expect(averageOf(early, [2])).toBeCloseTo((2 / 11) * 1 + (9 / 11) * 2, 6);
});

test('the initial weights stay unchanged', () => {
  const from = Float32Array.of(1);
  averageOf(new WeightAverage(0.5, from), [7, 8, 9]);
  expect(from[0]).toBe(1);
});
