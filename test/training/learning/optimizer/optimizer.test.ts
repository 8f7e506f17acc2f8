import { expect, test } from 'vitest';
import { Optimizer } from '../../../../training/learning/optimizer/optimizer.js';
import { createOptimizerState } from '../../../../training/checkpoints/optimizer-state.js';
import { networkOf } from '../../../../training/network/network.js';
import { parameterCount } from '../../../../training/network/parameter-specs.js';
import { BOARD_SHAPE, FULL_CONFIG } from '../../network/network-fixtures.js';

const SHAPE = { ...BOARD_SHAPE, config: FULL_CONFIG };

test.each(['adamw', 'muon'] as const)(
  'with %s, decay shrinks kernels only, apart from the gradient',
  (kind) => {
    const size = parameterCount(SHAPE);
    const weights = new Float32Array(size).fill(1);
    const state = createOptimizerState(size);
    const options = { learningRate: 0.1, weightDecay: 0.5 };
    new Optimizer(SHAPE, kind).step(weights, new Float32Array(size), state, options);
    expect(state.step).toBe(1);
    for (const [name, part] of networkOf(SHAPE, weights).parameters) {
      const expected = name.endsWith('/kernel') ? Math.fround(0.95) : 1;
      expect([name, ...new Set(part)]).toEqual([name, expected]);
    }
  },
);

test('Muon updates the kernels of the blocks, Adam everything else', () => {
  const size = parameterCount(SHAPE);
  const state = createOptimizerState(size);
  const gradient = new Float32Array(size).fill(0.5);
  new Optimizer(SHAPE, 'muon').step(new Float32Array(size), gradient, state, {
    learningRate: 0.1,
    weightDecay: 0,
  });
  const moved = Array.from(networkOf(SHAPE, state.secondMoment).parameters)
    .filter(([, part]) => part.every((value) => value === 0))
    .map(([name]) => name);
  expect(moved).toEqual([
    'block1_first/kernel',
    'block1_second/kernel',
    'block2_first/kernel',
    'block2_pool/kernel',
    'block2_second/kernel',
    'block3_first/kernel',
    'block3_second/kernel',
  ]);
});
