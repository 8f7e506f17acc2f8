import { beforeAll, describe, expect, test } from 'vitest';
import { createRng } from '../../../../env/random.js';
import { LearnerConfig } from '../../../../training/config/groups/learner-config.js';
import { saveFailedBatch } from '../../../../training/learning/failed-batch.js';
import { learn, startLearner, type LearnerState } from '../../../../training/learning/learner.js';
import {
  countDeadUnits,
  observeSample,
  type UnitSample,
} from '../../../../training/learning/units/dead-units.js';
import { reviveUnits } from '../../../../training/learning/units/unit-revival.js';
import { type Network, networkOf } from '../../../../training/network/network.js';
import { TensorNetwork } from '../../../../training/network/tensor-network.js';
import {
  game,
  networkWithDeadUnits,
  openSample,
  READERS,
  readsNothing,
  shape,
  tf,
} from './dead-unit-networks.js';

let sample: UnitSample<unknown>;

beforeAll(async () => {
  sample = await openSample();
});

function stateOf(network: Network): LearnerState {
  const { optimizer } = startLearner(network);
  optimizer.firstMoment.fill(1);
  optimizer.secondMoment.forEach((_, i) => {
    optimizer.secondMoment[i] = i % 7;
  });
  return { network, optimizer, average: network.weights.slice() };
}

describe('units that are 0 everywhere', () => {
  test('get new weights, with which the network computes the same', () => {
    const network = networkWithDeadUnits();
    expect(countDeadUnits(sample, network, null)).toBe(2 * READERS.length);
    const before = stateOf(network);
    const { network: after, average } = reviveUnits(sample, before, createRng(5));
    expect(countDeadUnits(sample, after, average)).toBe(0);
    expect(average).toEqual(after.weights);
    const observations = observeSample(sample)!;
    const [old, renewed] = [network, after].map(({ weights }) =>
      new TensorNetwork(tf, shape).predict(weights, observations, 256),
    );
    for (const [name, logits] of old!) {
      const differences = logits.map((logit, i) => Math.abs(logit - renewed!.get(name)![i]!));
      expect(Math.max(...differences)).toBeLessThan(1e-5);
    }
    expect(before).toEqual(stateOf(networkWithDeadUnits()));
  });

  test('are none of which the averaged weights make use', () => {
    const network = networkWithDeadUnits();
    const averaged = networkOf(shape, network.weights.slice());
    averaged.parameters.get('hidden/bias')![3] = 3;
    const state = { ...stateOf(network), average: averaged.weights };
    expect(countDeadUnits(sample, network, averaged.weights)).toBe(2 * READERS.length - 1);
    const { network: after, average } = reviveUnits(sample, state, createRng(5));
    expect(after.parameters.get('hidden/bias')![3]).toBe(-1000);
    expect(networkOf(shape, average!).parameters.get('hidden/bias')![3]).toBe(3);
  });

  test('have no first moments afterwards and mean second ones, and learn', async () => {
    const before = stateOf(networkWithDeadUnits());
    const from = reviveUnits(sample, before, createRng(5));
    const config = LearnerConfig.parse({ batchSize: 32, learningRate: 1e-3, movesLeftWeight: 0.1 });
    const { window } = sample;
    const failOnBatch: Parameters<typeof learn>[0]['failOnBatch'] = (failed) => saveFailedBatch(failed, '');
    const { network } = await learn({
      tf,
      game,
      config,
      window,
      from,
      rng: createRng(1),
      steps: 3,
      failOnBatch,
    });
    const first = networkOf(shape, from.optimizer.firstMoment);
    for (const [name, readers] of READERS) {
      const units = first.parameters.get(`${name}/bias`)!.length;
      const [old, renewed] = [before.optimizer, from.optimizer].map(({ secondMoment }) =>
        networkOf(shape, secondMoment).parameters.get(`${name}/bias`)!,
      );
      const mean = old!.reduce((sum, moment) => sum + moment, 0) / units;
      expect([...renewed!.slice(0, 4)]).toEqual([mean, old![1]!, old![2]!, mean].map(Math.fround));
      expect([...first.parameters.get(`${name}/bias`)!].slice(0, 4)).toEqual([0, 1, 1, 0]);
      for (const reader of readers) {
        for (const place of [0, 3]) {
          expect([reader, readsNothing(from.network, reader, place, units)]).toEqual([reader, true]);
          expect([reader, readsNothing(first, reader, place, units)]).toEqual([reader, true]);
          expect([reader, readsNothing(network, reader, place, units)]).toEqual([reader, false]);
        }
      }
    }
  });

  test('are left alone in a window that is too small to judge them', async () => {
    const small = await openSample(4);
    const state = stateOf(networkWithDeadUnits());
    expect(countDeadUnits(small, state.network, null)).toBeNull();
    expect(reviveUnits(small, state, createRng(5))).toBe(state);
  });
});
