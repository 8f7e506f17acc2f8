import type { Tensor, Tensor2D, Tensor4D } from '@tensorflow/tfjs-node';
import type { Rng } from '../../../env/random.js';
import { sizeOfShape } from '../../../env/spaces/shape.js';
import type { Checkpoint } from '../../checkpoints/checkpoint.js';
import type { OptimizerState } from '../../checkpoints/optimizer-state.js';
import { fillNormal, type Network, networkOf } from '../../network/network.js';
import type { Tensorflow } from '../../tensorflow/tensorflow.js';
import { deadPlaces, observeSample, type UnitSample, visitUnitsOnce } from './dead-units.js';
import type { UnitGroup } from './unit-probe.js';
import { type UnitWeights, visitWeights } from './unit-weights.js';

/** A learner's weights and optimiser. */
type Learnt = Pick<Checkpoint, 'network' | 'average'> & { readonly optimizer: OptimizerState };

/** New weights for the dead units of one ReLU. */
interface Revival extends UnitWeights {
  /** `[fanIn, dead]` */
  readonly kernel: Float32Array;
  /** `[dead]` */
  readonly bias: Float32Array;
}

/** The mean output of each unit of a kernel over positions and squares. */
function meanOutput(tf: Tensorflow, input: Tensor, kernel: Tensor): Float32Array {
  const outputs =
    kernel.rank === 4
      ? tf.conv2d(input as Tensor4D, kernel as Tensor4D, 1, 'same').mean([0, 1, 2])
      : tf.matMul(input as Tensor2D, kernel as Tensor2D).mean([0]);
  return outputs.dataSync<'float32'>();
}

/** Draws new weights for the units at `places`, with which a unit is active on about half of the squares. */
function drawRevival(tf: Tensorflow, units: UnitGroup, places: readonly number[], rng: Rng): Revival {
  const { layer, shift, readers, input } = units;
  const shape = [...layer.kernel.slice(0, -1), places.length];
  const kernel = new Float32Array(sizeOfShape(shape));
  fillNormal(kernel, layer.deviation, rng);
  const bias = meanOutput(tf, input, tf.tensor(kernel, shape)).map((mean) => -mean);
  return { layer, shift, readers, places, kernel, bias };
}

/** A copy with new weights for the dead units; weights that shift or read these units become 0. */
function withNewWeights(network: Network, revivals: readonly Revival[]): Network {
  const copy = networkOf(network.shape, network.weights.slice());
  for (const revival of revivals) {
    const { layer, places, kernel, bias } = revival;
    visitWeights(copy, revival, (values, index) => (values[index] = 0));
    const own = copy.parameters.get(`${layer.name}/kernel`)!;
    const units = layer.kernel.at(-1)!;
    for (const [dead, place] of places.entries()) {
      for (let row = 0; row < own.length / units; row++) {
        own[row * units + place] = kernel[row * places.length + dead]!;
      }
      copy.parameters.get(`${layer.name}/bias`)![place] = bias[dead]!;
    }
  }
  return copy;
}

/** A copy of the moments: all weights of the revivals get `valueOf` their parameter's moments. */
function withNewMoments(
  moments: Network,
  revivals: readonly Revival[],
  valueOf: (values: Float32Array) => number,
): Float32Array {
  const copy = networkOf(moments.shape, moments.weights.slice());
  const means = new Map([...copy.parameters.values()].map((values) => [values, valueOf(values)]));
  for (const revival of revivals) {
    visitWeights(copy, revival, (values, index) => (values[index] = means.get(values)!));
  }
  return copy.weights;
}

function meanOf(values: Float32Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * Gives new random weights to the dead units (`deadPlaces`). They contribute nothing and have no gradient, so they
 * would stay dead. The weights by which other layers read them become 0, so the network still computes the same for
 * these positions. Their first moments become 0. Their second ones become the mean of the parameter's: with zeros,
 * Adam's steps would be several times too long.
 *
 * @param from not changed; returned if there are no dead units, or too few rows to judge them.
 * @see Sokar et al. 2023, "The Dormant Neuron Phenomenon in Deep Reinforcement Learning", algorithm 1.
 */
export function reviveUnits<State>(sample: UnitSample<State>, from: Learnt, rng: Rng): Learnt {
  const { tf } = sample;
  const { network, average, optimizer } = from;
  const observations = observeSample(sample);
  if (observations === null) return from;
  const dead = deadPlaces(tf, network, average, observations);
  const revivals: Revival[] = [];
  visitUnitsOnce(tf, network, observations, (units, group) => {
    const places = dead[group]!;
    if (places.length > 0) revivals.push(drawRevival(tf, units, places, rng));
  });
  if (revivals.length === 0) return from;
  const { shape } = network;
  return {
    network: withNewWeights(network, revivals),
    average: average && withNewWeights(networkOf(shape, average), revivals).weights,
    optimizer: {
      step: optimizer.step,
      firstMoment: withNewMoments(networkOf(shape, optimizer.firstMoment), revivals, () => 0),
      secondMoment: withNewMoments(networkOf(shape, optimizer.secondMoment), revivals, meanOf),
    },
  };
}
