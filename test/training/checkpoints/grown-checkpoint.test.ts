import { expect, test } from 'vitest';
import { createGame } from '../../../env/games.js';
import { createRng } from '../../../env/random.js';
import type { Checkpoint } from '../../../training/checkpoints/checkpoint.js';
import { growCheckpoint } from '../../../training/checkpoints/grown-checkpoint.js';
import { createOptimizerState } from '../../../training/checkpoints/optimizer-state.js';
import { NetworkConfig } from '../../../training/network/network-config.js';
import { networkOf } from '../../../training/network/network.js';
import { networkShape } from '../../../training/network/network-shape.js';
import { TensorNetwork } from '../../../training/network/tensor-network.js';
import { loadTensorflow } from '../../../training/tensorflow/tensorflow.js';
import { FULL_CONFIG, randomFloats, randomNetwork } from '../network/network-fixtures.js';

const tf = loadTensorflow({ threads: 2 });
const game = createGame('gess');
const SHAPE = networkShape(game, NetworkConfig.parse({ ...FULL_CONFIG, policyAttention: 3 }));

function sampleCheckpoint(): Checkpoint {
  const network = randomNetwork(SHAPE, 1);
  const { length } = network.weights;
  const optimizer = createOptimizerState(length);
  optimizer.step = 7;
  optimizer.firstMoment.set(randomFloats(length, createRng(2)));
  optimizer.secondMoment.set(randomFloats(length, createRng(3)));
  return {
    generation: 3,
    game,
    network,
    average: randomNetwork(SHAPE, 4).weights,
    optimizer,
    learnerRandom: null,
    configDigest: null,
    softwareVersion: '1.0.0',
  };
}

test.each([{ blocks: 7 }, { channels: 5 }, { channels: 4, blocks: 4 }])(
  'a network grown to %o computes the same function, bit for bit, with pooled blocks and averaged weights',
  (size) => {
    const checkpoint = sampleCheckpoint();
    const grown = growCheckpoint(checkpoint, size, 5);
    expect(grown.network.shape.config).toEqual({ ...SHAPE.config, ...size });
    const observations = randomFloats(2 * SHAPE.observation.reduce((a, b) => a * b), createRng(6));
    const before = new TensorNetwork(tf, SHAPE);
    const after = new TensorNetwork(tf, grown.network.shape);
    for (const [own, large] of [
      [checkpoint.network.weights, grown.network.weights],
      [checkpoint.average!, grown.average!],
    ] as const) {
      expect(after.predict(large, observations, 2)).toEqual(before.predict(own, observations, 2));
    }
  },
);

test('new blocks can learn: their first convolutions are random, equal in the average, and have no moments', () => {
  const { network, average, optimizer } = growCheckpoint(sampleCheckpoint(), { blocks: 4 }, 5);
  const named = (weights: Float32Array): Float32Array =>
    networkOf(network.shape, weights).parameters.get('block4_first/kernel')!;
  expect(named(network.weights).every((weight) => weight !== 0)).toBe(true);
  expect(named(average!)).toEqual(named(network.weights));
  expect(named(optimizer!.firstMoment).every((moment) => moment === 0)).toBe(true);
  expect(named(optimizer!.secondMoment).every((moment) => moment === 0)).toBe(true);
  expect(optimizer!.step).toBe(7);
});

test('parameters of the other layers keep their moments', () => {
  const checkpoint = sampleCheckpoint();
  const { network, optimizer } = growCheckpoint(checkpoint, { blocks: 4 }, 5);
  for (const moment of ['firstMoment', 'secondMoment'] as const) {
    const before = networkOf(SHAPE, checkpoint.optimizer![moment]).parameters;
    const after = networkOf(network.shape, optimizer![moment]).parameters;
    for (const [name, values] of before) expect(after.get(name)).toEqual(values);
  }
});

test.each([1, 3])('a checkpoint of 3 blocks is not changed for %i', (blocks) => {
  const checkpoint = sampleCheckpoint();
  expect(growCheckpoint(checkpoint, { blocks }, 5)).toBe(checkpoint);
});
