import { beforeAll, expect, test } from 'vitest';
import { createRng } from '../../../../env/random.js';
import { startLearner } from '../../../../training/learning/learner.js';
import { expectSample, type UnitSample } from '../../../../training/learning/units/dead-units.js';
import { alignDeadUnits } from '../../../../training/learning/units/unit-alignment.js';
import { reviveUnits } from '../../../../training/learning/units/unit-revival.js';
import { fillNormal, type Network, networkOf } from '../../../../training/network/network.js';
import { TensorNetwork } from '../../../../training/network/tensor-network.js';
import { networkWithDeadUnits, openSample, READERS, shape, tf } from './dead-unit-networks.js';

const UNITS = 2 * READERS.length;
let sample: UnitSample<unknown>;

beforeAll(async () => {
  sample = await openSample();
});

/** A network whose dead units have new weights, and readers that learnt. */
function revived(from: Network): Network {
  const { optimizer } = startLearner(from);
  const { network } = reviveUnits(sample, { network: from, average: null, optimizer }, createRng(5));
  const noise = new Float32Array(network.weights.length);
  fillNormal(noise, 0.001, createRng(7));
  return networkOf(
    shape,
    network.weights.map((weight, i) => weight + noise[i]!),
  );
}

function logitsOf({ weights }: Network): readonly number[] {
  const predicted = new TensorNetwork(tf, shape).predict(weights, expectSample(sample), 256);
  return [...predicted.values()].flatMap((logits) => Array.from(logits));
}

test('a dead unit gets the weights of the network in which it lives, and changes nothing', () => {
  const dead = networkWithDeadUnits();
  const living = revived(dead);
  const { networks, units } = alignDeadUnits(tf, [dead, living], expectSample(sample));
  expect(units).toBe(UNITS);
  const [aligned, unchanged] = networks as [Network, Network];
  expect(unchanged.weights).toEqual(living.weights);
  expect(dead.weights).toEqual(networkWithDeadUnits().weights);
  const before = logitsOf(dead);
  const distances = logitsOf(aligned).map((logit, i) => Math.abs(logit - before[i]!));
  expect(Math.max(...distances)).toBeLessThan(1e-5);
  for (const [name] of READERS) {
    const [own, theirs] = [aligned, living].map(({ parameters }) => parameters.get(`${name}/bias`)!);
    for (const place of [0, 3]) expect(own![place]).toBe(theirs![place]);
  }
});

test('units that are dead everywhere, or nowhere, stay as they are', () => {
  const dead = networkWithDeadUnits();
  const pair = alignDeadUnits(tf, [dead, dead], expectSample(sample));
  expect(pair.units).toBe(0);
  for (const { weights } of pair.networks) expect(weights).toEqual(dead.weights);
  const living = revived(dead);
  const both = alignDeadUnits(tf, [living, living, dead], expectSample(sample));
  expect(both.units).toBe(UNITS);
  expect(both.networks[1]!.weights).toEqual(living.weights);
});
