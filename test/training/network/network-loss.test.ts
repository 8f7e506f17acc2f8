import { describe, expect, test } from 'vitest';
import { createRng } from '../../../env/random.js';
import { adamStep, createAdamState, decayRanges } from '../../../training/learning/adam.js';
import { NetworkLoss, type LossSums } from '../../../training/network/network-loss.js';
import { createNetwork, parameterCount } from '../../../training/network/network.js';
import { loadTensorflow } from '../../../training/tensorflow.js';
import { TensorNetwork } from '../../../training/network/tensor-network.js';
import type { TrainingBatch } from '../../../training/learning/training-batch.js';
import { BOARD_SHAPE, DENSE_SHAPE, randomBatch, randomNetwork } from './network-fixtures.js';

const tf = loadTensorflow({ threads: 2 });
const VALUE_WEIGHT = 0.7;

function meanLoss(sums: LossSums, batch: TrainingBatch): number {
  return (sums.policyLoss + VALUE_WEIGHT * sums.valueLoss) / batch.size;
}

function logSoftmax(logits: readonly number[]): number[] {
  const logSum = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0));
  return logits.map((logit) => logit - logSum);
}

describe.each([
  ['convolutional policy head', BOARD_SHAPE],
  ['dense policy head', DENSE_SHAPE],
])('%s', (_name, shape) => {
  const loss = new NetworkLoss(tf, shape, VALUE_WEIGHT);

  test('the loss is the cross-entropy over the legal logits, computed from all logits in plain code', () => {
    const { weights } = randomNetwork(shape, 2);
    const batch = randomBatch(shape, 6, 9, createRng(3));
    const { policy, outcome } = new TensorNetwork(tf, shape).predict(weights, batch.observations, 6);
    const expected = { policyLoss: 0, policyEntropy: 0, targetEntropy: 0, valueLoss: 0 };
    for (let row = 0; row < 6; row++) {
      const columns = Array.from({ length: batch.width }, (_, i) => row * batch.width + i);
      const legal = columns.filter((i) => batch.padding[i] === 0);
      const logPolicy = logSoftmax(legal.map((i) => policy[row * shape.numActions + batch.legal[i]!]!));
      const logOutcome = logSoftmax(Array.from(outcome.subarray(row * 3, row * 3 + 3)));
      legal.forEach((i, at) => {
        const [weight, target, log] = [batch.policyWeights[row]!, batch.policy[i]!, logPolicy[at]!];
        expected.policyLoss -= weight * target * log;
        expected.policyEntropy -= weight * Math.exp(log) * log;
        expected.targetEntropy -= weight * target * Math.log(target);
      });
      logOutcome.forEach((value, i) => {
        expected.valueLoss -= batch.outcomeWeights[row]! * batch.outcomes[row * 3 + i]! * value;
      });
    }
    const { sums, outcomes } = loss.evaluate(weights, batch);
    for (const [name, value] of Object.entries(expected)) {
      expect(sums[name as keyof typeof expected]).toBeCloseTo(value, 4);
    }
    const [win, draw, lose] = Array.from(outcome.subarray(0, 3), Math.exp) as [number, number, number];
    expect(outcomes[2]).toBeCloseTo(lose / (win + draw + lose), 5);
  });

  test('the gradient is the slope of the loss along random directions', () => {
    const { weights } = randomNetwork(shape, 4);
    const batch = randomBatch(shape, 8, 9, createRng(5));
    const gradient = new Float32Array(weights.length);
    loss.differentiate(weights, batch, gradient);
    const rng = createRng(6);
    for (let trial = 0; trial < 8; trial++) {
      const direction = Float32Array.from(weights, () => rng.float() - 0.5);
      const shifted = (distance: number): number =>
        meanLoss(
          loss.evaluate(
            weights.map((weight, i) => weight + distance * direction[i]!),
            batch,
          ).sums,
          batch,
        );
      const distance = 2e-3;
      const slope = (shifted(distance) - shifted(-distance)) / (2 * distance);
      const expected = gradient.reduce((sum, value, i) => sum + value * direction[i]!, 0);
      expect(Math.abs(slope - expected)).toBeLessThan(0.02 * Math.max(1, Math.abs(expected)));
    }
  });

  test('padding changes neither loss nor gradient', () => {
    const { weights } = randomNetwork(shape, 7);
    const narrow = randomBatch(shape, 4, 9, createRng(8));
    const wide = randomBatch(shape, 4, 9, createRng(8));
    wide.reset(4, narrow.width + 1);
    for (let row = 0; row < 4; row++) {
      for (const columns of ['legal', 'padding', 'policy'] as const) {
        const from = row * narrow.width;
        wide[columns].set(narrow[columns].subarray(from, from + narrow.width), row * wide.width);
      }
    }
    const gradients = [narrow, wide].map(() => new Float32Array(weights.length));
    const [left, right] = [narrow, wide].map((batch, i) => loss.differentiate(weights, batch, gradients[i]!));
    expect(wide.width).toBeGreaterThan(narrow.width);
    expect(right!.policyLoss).toBeCloseTo(left!.policyLoss, 5);
    expect(right!.policyCorrect).toBe(left!.policyCorrect);
    gradients[0]!.forEach((value, i) => {
      expect(gradients[1]![i]).toBeCloseTo(value, 5);
    });
  });

  test('an untrained network is uniform: its losses are the entropies of uniform distributions', () => {
    const { weights } = createNetwork(shape, createRng(1));
    const batch = randomBatch(shape, 5, 9, createRng(9));
    const counts = Array.from({ length: 5 }, (_, row) =>
      batch.padding
        .subarray(row * batch.width, (row + 1) * batch.width)
        .reduce((sum, padding) => sum + (padding === 0 ? 1 : 0), 0),
    );
    const { sums } = loss.evaluate(weights, batch);
    const entropy = counts.reduce((sum, count, row) => sum + batch.policyWeights[row]! * Math.log(count), 0);
    expect(sums.policyLoss).toBeCloseTo(entropy, 4);
    expect(sums.valueLoss / sums.valueWeight).toBeCloseTo(Math.log(3), 5);
  });

  test('it learns a handful of samples by heart and leaves no tensor', () => {
    const wide = { ...shape, config: { channels: 12, blocks: 2, valueHidden: 24 } };
    const wideLoss = new NetworkLoss(tf, wide, VALUE_WEIGHT);
    const { weights } = createNetwork(wide, createRng(1));
    const batch = randomBatch(wide, 8, 9, createRng(10));
    batch.policyWeights.fill(1);
    batch.outcomeWeights.fill(1);
    batch.outcomes.fill(0);
    batch.policy.fill(0);
    for (let row = 0; row < 8; row++) {
      batch.policy[row * batch.width] = 1;
      // Equal actions in a row would share the probability.
      batch.legal[row * batch.width] = row;
      for (let i = 1; i < batch.width; i++) batch.legal[row * batch.width + i] = 8;
      batch.outcomes[row * 3 + (row % 3)] = 1;
    }
    const state = createAdamState(weights.length);
    const gradient = new Float32Array(weights.length);
    const options = { learningRate: 0.02, weightDecay: 0, decay: decayRanges(wide) };
    wideLoss.differentiate(weights, batch, gradient);
    const { numTensors, numBytes } = tf.memory();
    for (let step = 0; step < 150; step++) {
      wideLoss.differentiate(weights, batch, gradient);
      adamStep(weights, gradient, state, options);
    }
    const { sums } = wideLoss.evaluate(weights, batch);
    expect(tf.memory()).toMatchObject({ numTensors, numBytes });
    expect(sums.policyLoss / 8).toBeLessThan(0.05);
    expect(sums.valueLoss / 8).toBeLessThan(0.05);
    expect(sums.policyCorrect).toBe(8);
  });
});

test('the network of the default size has its documented number of parameters', () => {
  const config = { channels: 32, blocks: 4, valueHidden: 64 };
  const shape = { observation: [20, 20, 20], numActions: 57_600, policyHead: 'convolution', config } as const;
  // stem 5,792; eight convolutions of 9,248; policy 4,752; hidden 4,160; outcome 195
  expect(parameterCount(shape)).toBe(88_883);
});
