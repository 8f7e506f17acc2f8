import { expect, test } from 'vitest';
import { createGame } from '../../../env/games.js';
import { createRng } from '../../../env/random.js';
import type { Checkpoint } from '../../../training/checkpoints/checkpoint.js';
import { growCheckpoint, type NetworkSize } from '../../../training/checkpoints/grown-checkpoint.js';
import { createOptimizerState } from '../../../training/checkpoints/optimizer-state.js';
import { NetworkConfig } from '../../../training/network/network-config.js';
import { networkOf } from '../../../training/network/network.js';
import { networkShape } from '../../../training/network/network-shape.js';
import { type Logits, TensorNetwork } from '../../../training/network/tensor-network.js';
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

/** The logits of the checkpoint and of the checkpoint grown to `size`, of its weights and of their average. */
function logitsBeforeAndAfter(
  size: Partial<NetworkSize>,
): { readonly before: Logits; readonly after: Logits }[] {
  const checkpoint = sampleCheckpoint();
  const grown = growCheckpoint(checkpoint, size, 5);
  expect(grown.network.shape.config).toEqual({ ...SHAPE.config, ...size });
  const observations = randomFloats(2 * SHAPE.observation.reduce((a, b) => a * b), createRng(6));
  const former = new TensorNetwork(tf, SHAPE);
  const larger = new TensorNetwork(tf, grown.network.shape);
  return (
    [
      [checkpoint.network.weights, grown.network.weights],
      [checkpoint.average!, grown.average!],
    ] as const
  ).map(([own, large]) => ({
    before: former.predict(own, observations, 2),
    after: larger.predict(large, observations, 2),
  }));
}

test('more blocks compute the same function, bit for bit, with pooled blocks and averaged weights', () => {
  for (const { before, after } of logitsBeforeAndAfter({ blocks: 7 })) expect(after).toEqual(before);
});

// A processor may add the products of a wider layer in another order, so the last bits of a sum can differ.
test.each([{ channels: 5 }, { channels: 4, blocks: 4 }])(
  'a network grown to %o computes the same function up to rounding',
  (size) => {
    for (const { before, after } of logitsBeforeAndAfter(size)) {
      expect([...after.keys()]).toEqual([...before.keys()]);
      for (const [head, logits] of before) {
        const grown = after.get(head)!;
        expect(grown).toHaveLength(logits.length);
        const difference = grown.reduce(
          (most, logit, index) => Math.max(most, Math.abs(logit - logits[index]!)),
          0,
        );
        expect(difference).toBeLessThan(1e-5);
      }
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
