import { expect, test } from 'vitest';
import { adamStep } from '../../../../training/learning/optimizer/adam.js';
import { createOptimizerState } from '../../../../training/checkpoints/optimizer-state.js';

test('steps follow the published formulas', () => {
  // Kingma & Ba 2015, algorithm 1, by hand: f(x) = x^2 from x = 1 with learning rate 0.1.
  const weights = Float32Array.of(1);
  const state = createOptimizerState(1);
  let [x, m, v] = [1, 0, 0];
  for (let t = 1; t <= 20; t++) {
    const slope = 2 * x;
    m = 0.9 * m + 0.1 * slope;
    v = 0.999 * v + 0.001 * slope * slope;
    x -= (0.1 * (m / (1 - 0.9 ** t))) / (Math.sqrt(v / (1 - 0.999 ** t)) + 1e-8);
    const gradient = Float32Array.of(2 * weights[0]!);
    state.step = t;
    adamStep(weights, gradient, state, { from: 0, to: 1, learningRate: 0.1 });
    expect(weights[0]).toBeCloseTo(x, 5);
  }
});

test('weights outside the range do not change', () => {
  const weights = Float32Array.of(1, 1, 1);
  const state = { ...createOptimizerState(3), step: 1 };
  adamStep(weights, Float32Array.of(1, 1, 1), state, { from: 1, to: 2, learningRate: 0.1 });
  expect([...weights]).toEqual([1, Math.fround(0.9), 1]);
  expect([...state.firstMoment]).toEqual([0, Math.fround(0.1), 0]);
});
