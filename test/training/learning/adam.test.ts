import { sizeOfShape } from '../../../env/spaces/shape.js';
import { expect, test } from 'vitest';
import { adamStep, clipNorm, createAdamState, decayRanges, norm } from '../../../training/learning/adam.js';
import { parameterSpecs } from '../../../training/network/network.js';
import { BOARD_SHAPE } from '../network/network-fixtures.js';

test('steps follow the published formulas', () => {
  // Kingma & Ba 2015, algorithm 1, by hand: f(x) = x^2 from x = 1 with learning rate 0.1.
  const weights = Float32Array.of(1);
  const state = createAdamState(1);
  let [x, m, v] = [1, 0, 0];
  for (let t = 1; t <= 20; t++) {
    const slope = 2 * x;
    m = 0.9 * m + 0.1 * slope;
    v = 0.999 * v + 0.001 * slope * slope;
    x -= (0.1 * (m / (1 - 0.9 ** t))) / (Math.sqrt(v / (1 - 0.999 ** t)) + 1e-8);
    const gradient = Float32Array.of(2 * weights[0]!);
    adamStep(weights, gradient, state, { learningRate: 0.1, weightDecay: 0, decay: [] });
    expect(weights[0]).toBeCloseTo(x, 5);
  }
  expect(state.step).toBe(20);
});

test('decay shrinks kernels only, apart from the gradient', () => {
  const decay = decayRanges(BOARD_SHAPE);
  const specs = parameterSpecs(BOARD_SHAPE);
  const size = specs.reduce((sum, spec) => sum + sizeOfShape(spec.shape), 0);
  const weights = new Float32Array(size).fill(1);
  const options = { learningRate: 0.1, weightDecay: 0.5, decay };
  adamStep(weights, new Float32Array(size), createAdamState(size), options);
  let start = 0;
  for (const { name, shape } of specs) {
    const expected = name.endsWith('/kernel') ? 0.95 : 1;
    for (const weight of weights.subarray(start, (start += sizeOfShape(shape)))) {
      expect(weight).toBeCloseTo(expected, 6);
    }
  }
});

test('clipping keeps the direction and no more than the norm', () => {
  const gradient = Float32Array.of(3, 4);
  expect(clipNorm(gradient, 10)).toBe(5);
  expect([...gradient]).toEqual([3, 4]);
  expect(clipNorm(gradient, 1)).toBe(5);
  expect(norm(gradient)).toBeCloseTo(1, 6);
  expect(gradient[0]! / gradient[1]!).toBeCloseTo(0.75, 6);
});
