import { describe, expect, test } from 'vitest';
import { isLong } from '../../long-tests.js';
import { createRng } from '../../../env/random.js';
import { Optimizer } from '../../../training/learning/optimizer/optimizer.js';
import { createOptimizerState } from '../../../training/checkpoints/optimizer-state.js';
import { NetworkLoss, type LossSums } from '../../../training/learning/network-loss.js';
import { HEADS } from '../../../training/network/heads/head-table.js';
import { createNetwork } from '../../../training/network/network.js';
import { multiplyAccumulates, parameterCount } from '../../../training/network/parameter-specs.js';
import { loadTensorflow } from '../../../training/tensorflow/tensorflow.js';
import { TensorNetwork } from '../../../training/network/tensor-network.js';
import type { TrainingBatch } from '../../../training/learning/training-batch.js';
import { NetworkConfig } from '../../../training/network/network-config.js';
import {
  BOARD_SHAPE,
  FULL_SHAPE,
  LOSS_WEIGHTS,
  randomBatch,
  randomNetwork,
  SHAPES,
} from '../network/network-fixtures.js';

const tf = loadTensorflow({ threads: 2 });

/** Shapes that learn: each form of the policy once, and all heads once; with LONG_TESTS=1 all of `SHAPES`. */
const LEARNING = ['convolutional policy head', 'dense policy head', 'all heads, attention for policies'];

function meanLoss(sums: LossSums, batch: TrainingBatch): number {
  const [, ...weightedHeads] = HEADS;
  const weighted = weightedHeads.reduce(
    (sum, { label }) => sum + LOSS_WEIGHTS[`${label}Weight`] * sums[`${label}Loss`],
    sums.policyLoss,
  );
  return weighted / batch.size;
}

function logSoftmax(logits: readonly number[]): number[] {
  const logSum = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0));
  return logits.map((logit) => logit - logSum);
}

describe.each(SHAPES)('%s', (name, shape) => {
  const loss = new NetworkLoss(tf, shape, LOSS_WEIGHTS);

  test('the loss is the cross-entropy over the legal logits, computed from all logits in plain code', () => {
    const { weights } = randomNetwork(shape, 2);
    const batch = randomBatch(shape, 6, 9, createRng(3));
    const [actions, outcomeTargets] = [batch.columns('policy'), batch.columns('outcome')];
    const logits = new TensorNetwork(tf, shape).predict(weights, batch.observations, 6);
    const [policy, outcome] = [logits.get('policy')!, logits.get('outcome')!];
    const expected = { policyLoss: 0, policyEntropy: 0, targetEntropy: 0, valueLoss: 0 };
    for (let row = 0; row < 6; row++) {
      const columns = Array.from({ length: actions.width }, (_, i) => row * actions.width + i);
      const legal = columns.filter((i) => actions.padding[i] === 0);
      const logPolicy = logSoftmax(legal.map((i) => policy[row * shape.numActions + actions.legal[i]!]!));
      const logOutcome = logSoftmax(Array.from(outcome.subarray(row * 3, row * 3 + 3)));
      legal.forEach((i, at) => {
        const [weight, target, log] = [actions.weights[row]!, actions.policy[i]!, logPolicy[at]!];
        expected.policyLoss -= weight * target * log;
        expected.policyEntropy -= weight * Math.exp(log) * log;
        expected.targetEntropy -= weight * target * Math.log(target);
      });
      logOutcome.forEach((value, i) => {
        expected.valueLoss -= outcomeTargets.weights[row]! * outcomeTargets.targets[row * 3 + i]! * value;
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
    const narrowBatch = randomBatch(shape, 4, 9, createRng(8));
    const wideBatch = randomBatch(shape, 4, 9, createRng(8));
    const [narrow, wide] = [narrowBatch.columns('policy'), wideBatch.columns('policy')];
    wide.reset(4, narrow.width + 1);
    wide.weights.set(narrow.weights);
    for (let row = 0; row < 4; row++) {
      for (const columns of ['legal', 'padding', 'policy'] as const) {
        const from = row * narrow.width;
        wide[columns].set(narrow[columns].subarray(from, from + narrow.width), row * wide.width);
      }
    }
    const gradients = [narrow, wide].map(() => new Float32Array(weights.length));
    const [left, right] = [narrowBatch, wideBatch].map(
      (batch, i) => loss.differentiate(weights, batch, gradients[i]!).sums,
    );
    expect(wide.width).toBeGreaterThan(narrow.width);
    expect(right!.policyLoss).toBeCloseTo(left!.policyLoss, 5);
    expect(right!.policyAccuracy).toBe(left!.policyAccuracy);
    gradients[0]!.forEach((value, i) => {
      expect(gradients[1]![i]).toBeCloseTo(value, 5);
    });
  });

  test('an untrained network is uniform: its losses are the entropies of uniform distributions', () => {
    const { weights } = createNetwork(shape, createRng(1));
    const batch = randomBatch(shape, 5, 9, createRng(9));
    const actions = batch.columns('policy');
    const counts = Array.from({ length: 5 }, (_, row) =>
      actions.padding
        .subarray(row * actions.width, (row + 1) * actions.width)
        .reduce((sum, padding) => sum + (padding === 0 ? 1 : 0), 0),
    );
    const { sums } = loss.evaluate(weights, batch);
    const entropy = counts.reduce((sum, count, row) => sum + actions.weights[row]! * Math.log(count), 0);
    expect(sums.policyLoss).toBeCloseTo(entropy, 4);
    expect(sums.valueLoss / sums.valueWeight).toBeCloseTo(Math.log(3), 5);
  });

  test.runIf(isLong || LEARNING.includes(name))(
    'the network memorises a few samples and leaves no tensor',
    () => {
      const wide = { ...shape, config: { ...shape.config, channels: 12, blocks: 2, valueHidden: 24 } };
      const wideLoss = new NetworkLoss(tf, wide, LOSS_WEIGHTS);
      const { weights } = createNetwork(wide, createRng(1));
      const batch = randomBatch(wide, 8, 9, createRng(10));
      const [actions, outcomes] = [batch.columns('policy'), batch.columns('outcome')];
      actions.weights.fill(1);
      outcomes.weights.fill(1);
      outcomes.targets.fill(0);
      actions.policy.fill(0);
      for (let row = 0; row < 8; row++) {
        actions.policy[row * actions.width] = 1;
        // Equal actions in a row would share the probability.
        actions.legal[row * actions.width] = row;
        for (let i = 1; i < actions.width; i++) actions.legal[row * actions.width + i] = 8;
        outcomes.targets[row * 3 + (row % 3)] = 1;
      }
      const state = createOptimizerState(weights.length);
      const gradient = new Float32Array(weights.length);
      const optimizer = new Optimizer(wide, 'adamw');
      wideLoss.differentiate(weights, batch, gradient);
      const { numTensors, numBytes } = tf.memory();
      for (let step = 0; step < 75; step++) {
        wideLoss.differentiate(weights, batch, gradient);
        optimizer.step(weights, gradient, state, { learningRate: 0.04, weightDecay: 0 });
      }
      const { sums } = wideLoss.evaluate(weights, batch);
      expect(tf.memory()).toMatchObject({ numTensors, numBytes });
      expect(sums.policyLoss / 8).toBeLessThan(0.05);
      expect(sums.valueLoss / 8).toBeLessThan(0.05);
      expect(sums.policyAccuracy).toBe(8);
    },
  );
});

test('the network of the default size has its documented number of parameters', () => {
  const config = NetworkConfig.parse({ channels: 32, blocks: 4, valueHidden: 64 });
  const shape = { observation: [20, 20, 20], numActions: 57_600, policyForm: 'convolution', config } as const;
  // stem 5,792; eight convolutions of 9,248; policy 4,752; hidden 4,160; outcome 195
  expect(parameterCount(shape)).toBe(88_883);
});

test('the other losses equal their formulas in plain code', () => {
  const { weights } = randomNetwork(FULL_SHAPE, 12);
  const batch = randomBatch(FULL_SHAPE, 5, 9, createRng(13));
  const logits = new TensorNetwork(tf, FULL_SHAPE).predict(weights, batch.observations, 5);
  const targets = {
    movesLeft: batch.columns('movesLeft'),
    holders: batch.columns('holders'),
    rings: batch.columns('rings'),
  };
  const expected = { movesLeftLoss: 0, holdersLoss: 0, ringsLoss: 0 };
  const [movesLeft, holders] = [logits.get('movesLeft')!, logits.get('holders')!];
  for (let row = 0; row < 5; row++) {
    const distance = Math.abs(movesLeft[row]! - targets.movesLeft.targets[row]!);
    const huber = distance <= 0.5 ? distance ** 2 / 2 : 0.5 * (distance - 0.25);
    expected.movesLeftLoss += targets.movesLeft.weights[row]! * huber;
    for (let square = row * 20; square < (row + 1) * 20; square++) {
      const logs = logSoftmax(Array.from(holders.subarray(square * 3, square * 3 + 3)));
      const log = logs.reduce((sum, value, i) => sum + value * targets.holders.targets[square * 3 + i]!, 0);
      expected.holdersLoss -= (targets.holders.weights[row]! * log) / 20;
    }
  }
  logits.get('rings')!.forEach((logit, i) => {
    const probability = 1 / (1 + Math.exp(-logit));
    const survives = targets.rings.targets[i]!;
    const log = survives * Math.log(probability) + (1 - survives) * Math.log(1 - probability);
    expected.ringsLoss -= targets.rings.weights[i]! * log;
  });
  const { sums } = new NetworkLoss(tf, FULL_SHAPE, LOSS_WEIGHTS).evaluate(weights, batch);
  for (const [name, value] of Object.entries(expected)) {
    expect(value).toBeGreaterThan(0.1);
    expect(sums[name as keyof typeof expected]).toBeCloseTo(value, 4);
  }
});

test('a pooled block sees the whole board, other blocks only nearby squares', () => {
  const shape = { ...BOARD_SHAPE, observation: [9, 9, 1], numActions: 81 } as const;
  const reach = (globalPoolEvery: number): boolean => {
    const config = NetworkConfig.parse({ channels: 4, blocks: 1, globalPoolEvery });
    const network = randomNetwork({ ...shape, config }, 3);
    const answers = [0, 1].map((corner) => {
      const observations = new Float32Array(81);
      observations[0] = corner;
      return new TensorNetwork(tf, network.shape)
        .predict(network.weights, observations, 1)
        .get('policy')![80]!;
    });
    return answers[0] !== answers[1];
  };
  expect(reach(1)).toBe(true);
  expect(reach(0)).toBe(false);
});

test('multiply-accumulates agree with a count by hand', () => {
  // On 20 squares: stem 3 * 4 * 9, blocks 4 * 4 * 9 twice each, a pool of 3 and its shift, policy, holders,
  // rings.
  const heads = { movesLeft: true, holders: true, rings: true };
  const parts = { channels: 4, blocks: 3, valueHidden: 5, globalPoolEvery: 2, globalPoolChannels: 3 };
  const shape = { ...BOARD_SHAPE, config: NetworkConfig.parse({ ...parts, ...heads }) };
  const squares = 20 * (3 * 4 * 9 + 3 * 2 * 4 * 4 * 9 + 4 * 3 * 9 + 4 * 6 + 4 * 3 + 4 * 2);
  expect(multiplyAccumulates(shape)).toBe(squares + 6 * 4 + 8 * 5 + 5 * 3 + 5);
});
