import { expect, test } from 'vitest';
import { createRng } from '../../../../env/random.js';
import { muonStep } from '../../../../training/learning/optimizer/muon.js';
import { createOptimizerState } from '../../../../training/checkpoints/optimizer-state.js';

type Matrix = readonly (readonly number[])[];

function transpose(a: Matrix): number[][] {
  return a[0]!.map((_, column) => a.map((row) => row[column]!));
}

function multiply(a: Matrix, b: Matrix): number[][] {
  const columns = transpose(b);
  return a.map((row) => columns.map((column) => row.reduce((sum, x, k) => sum + x * column[k]!, 0)));
}

function combine(a: Matrix, b: Matrix, rule: (x: number, y: number) => number): number[][] {
  return a.map((row, i) => row.map((x, j) => rule(x, b[i]![j]!)));
}

/** The published Newton-Schulz iteration (Jordan 2024) on the matrix: X <- a X + (b A + c A A) X with A = X X^T. */
function published(gradient: Matrix): number[][] {
  const length = Math.hypot(...gradient.flat());
  let x = gradient.map((row) => row.map((value) => value / length));
  for (let iteration = 0; iteration < 5; iteration++) {
    const square = multiply(x, transpose(x));
    const factor = combine(square, multiply(square, square), (one, two) => -4.775 * one + 2.0315 * two);
    x = combine(x, multiply(factor, x), (one, two) => 3.4445 * one + two);
  }
  return x;
}

function randomMatrix(rows: number, columns: number): number[][] {
  const rng = createRng(rows);
  return Array.from({ length: rows }, () => Array.from({ length: columns }, () => rng.float() - 0.5));
}

test.each([
  [12, 4],
  [4, 4],
  [3, 5],
])('a step on a %i x %i matrix equals the published one', (rows, columns) => {
  const gradient = randomMatrix(rows, columns);
  const size = rows * columns;
  const weights = new Float32Array(size);
  muonStep(weights, Float32Array.from(gradient.flat()), createOptimizerState(size), {
    from: 0,
    to: size,
    columns,
    learningRate: 0.5,
  });
  const rate = 0.5 * 0.2 * Math.sqrt(Math.max(rows, columns));
  const expected = published(gradient).flat();
  weights.forEach((weight, i) => {
    expect(weight).toBeCloseTo(-rate * expected[i]!, 5);
  });
});

test('directions with weak gradients are learnt as fast as those with strong ones', () => {
  // Two columns at right angles, one a hundred times as long.
  const gradient = Float32Array.of(1, 0.01, 1, -0.01);
  const weights = new Float32Array(4);
  muonStep(weights, gradient, createOptimizerState(4), { from: 0, to: 4, columns: 2, learningRate: 1 });
  const [strong, weak] = [Math.hypot(weights[0]!, weights[2]!), Math.hypot(weights[1]!, weights[3]!)];
  expect(weak / strong).toBeGreaterThan(0.6);
  expect(weak / strong).toBeLessThan(1.7);
});

test('momentum is a decaying mean with look-ahead', () => {
  const state = createOptimizerState(1);
  const weights = new Float32Array(1);
  const range = { from: 0, to: 1, columns: 1, learningRate: 1 };
  muonStep(weights, Float32Array.of(1), state, range);
  expect(state.firstMoment[0]).toBeCloseTo(0.05, 6);
  muonStep(weights, Float32Array.of(-1), state, range);
  expect(state.firstMoment[0]).toBeCloseTo(0.95 * 0.05 - 0.05, 6);
  expect([...state.secondMoment]).toEqual([0]);
});

test('a zero gradient changes no weights', () => {
  const weights = Float32Array.of(1, 2, 3, 4);
  muonStep(weights, new Float32Array(4), createOptimizerState(4), {
    from: 0,
    to: 4,
    columns: 2,
    learningRate: 1,
  });
  expect([...weights]).toEqual([1, 2, 3, 4]);
});
