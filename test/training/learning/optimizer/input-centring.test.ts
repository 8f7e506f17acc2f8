import { expect, test } from 'vitest';
import { centreGradient, stepCentred } from '../../../../training/learning/optimizer/input-centring.js';

/** A convolution of 1 x 2 squares, 2 input planes and 2 units, and a layer whose mean input is not given. */
function parameters(kernel: readonly number[], bias: readonly number[]): ReadonlyMap<string, Float32Array> {
  return new Map([
    ['a/kernel', Float32Array.from(kernel)],
    ['a/bias', Float32Array.from(bias)],
    ['b/kernel', Float32Array.of(1, 2)],
    ['b/bias', Float32Array.of(3)],
  ]);
}

const MEANS = new Map([['a', Float32Array.of(2, -1)]]);

test("a kernel's gradient is that of its inputs minus their mean; biases and other layers keep theirs", () => {
  const gradient = parameters([1, 2, 3, 4, 5, 6, 7, 8], [10, 100]);
  centreGradient(gradient, MEANS);
  expect([...gradient.get('a/kernel')!]).toEqual([
    1 - 20,
    2 - 200,
    3 + 10,
    4 + 100,
    5 - 20,
    6 - 200,
    7 + 10,
    8 + 100,
  ]);
  expect([...gradient.get('a/bias')!]).toEqual([10, 100]);
  expect([...gradient.get('b/kernel')!, ...gradient.get('b/bias')!]).toEqual([1, 2, 3]);
});

test('no rounding error of a constant input is left', () => {
  const gradient = parameters([20.001, 200, 3, 4, 5, 6, 7, 8], [10, 100]);
  centreGradient(gradient, MEANS);
  expect([...gradient.get('a/kernel')!.subarray(0, 2)]).toEqual([0, 0]);
});

test('a step on a kernel changes no output for the mean input, one on a bias does', () => {
  const weights = parameters([1, 2, 3, 4, 5, 6, 7, 8], [10, 100]);
  const kernel = weights.get('a/kernel')!;
  const bias = weights.get('a/bias')!;
  const meanOutput = (unit: number): number =>
    [2, -1, 2, -1].reduce((sum, input, row) => sum + input * kernel[2 * row + unit]!, bias[unit]!);
  const before = [meanOutput(0), meanOutput(1)];
  stepCentred(weights, MEANS, () => {
    kernel[0] = 9;
    kernel[5] = -9;
    bias[1]! += 7;
  });
  expect([...kernel]).toEqual([9, 2, 3, 4, 5, -9, 7, 8]);
  expect([meanOutput(0), meanOutput(1)]).toEqual([before[0], before[1]! + 7]);
  expect([...weights.get('b/kernel')!, ...weights.get('b/bias')!]).toEqual([1, 2, 3]);
});
