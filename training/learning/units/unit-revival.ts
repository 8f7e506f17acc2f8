import type { Tensor, Tensor2D, Tensor4D } from '@tensorflow/tfjs-node';
import type { Rng } from '../../../env/random.js';
import { sizeOfShape } from '../../../env/spaces/shape.js';
import type { Checkpoint } from '../../checkpoints/checkpoint.js';
import type { OptimizerState } from '../../checkpoints/optimizer-state.js';
import type { Layer } from '../../network/layer-builder.js';
import { fillNormal, type Network, networkOf } from '../../network/network.js';
import type { UnitGroup } from '../../network/unit-probe.js';
import type { Tensorflow } from '../../tensorflow/tensorflow.js';
import { deadPlaces, isLargeEnough, type UnitSample, visitUnits } from './dead-units.js';

/** A learner's weights and optimiser. */
type Learnt = Pick<Checkpoint, 'network' | 'average'> & { readonly optimizer: OptimizerState };

/** New weights for the dead units of one ReLU. */
interface Revival {
  readonly units: UnitGroup;
  /** Places of the dead units in the group, ascending. */
  readonly places: readonly number[];
  /** `[fanIn, dead]` */
  readonly kernel: Float32Array;
  /** `[dead]` */
  readonly bias: Float32Array;
}

/** The mean over positions and squares of what a kernel makes of its input: one number for each of its units. */
function meanOutput(tf: Tensorflow, input: Tensor, kernel: Tensor): Float32Array {
  const outputs =
    kernel.rank === 4
      ? tf.conv2d(input as Tensor4D, kernel as Tensor4D, 1, 'same').mean([0, 1, 2])
      : tf.matMul(input as Tensor2D, kernel as Tensor2D).mean([0]);
  return outputs.dataSync<'float32'>();
}

/** Draws new weights for the dead units of a ReLU, with which a unit is active on about half of the squares. */
function drawRevival(tf: Tensorflow, units: UnitGroup, rng: Rng): Revival {
  const { layer, input } = units;
  const places = deadPlaces(units);
  const shape = [...layer.kernel.slice(0, -1), places.length];
  const kernel = new Float32Array(sizeOfShape(shape));
  if (places.length === 0) return { units, places, kernel, bias: new Float32Array() };
  fillNormal(kernel, layer.deviation, rng);
  const bias = meanOutput(tf, input, tf.tensor(kernel, shape)).map((mean) => -mean);
  return { units, places, kernel, bias };
}

/** Writes one number for each row of a kernel into the column of a unit. */
function writeColumn(
  { parameters }: Network,
  { name, kernel }: Layer,
  place: number,
  valueOf: (row: number) => number,
): void {
  const values = parameters.get(`${name}/kernel`)!;
  const columns = kernel.at(-1)!;
  for (let row = 0; row < values.length / columns; row++) values[row * columns + place] = valueOf(row);
}

/** Writes zeros into the rows by which a layer reads a unit of a group of `size`. */
function clearRows({ parameters }: Network, { name, kernel }: Layer, place: number, size: number): void {
  const values = parameters.get(`${name}/kernel`)!;
  const columns = kernel.at(-1)!;
  for (let row = place; row < values.length / columns; row += size) {
    values.fill(0, row * columns, (row + 1) * columns);
  }
}

/** Writes new weights of one group. What reads the units, and what shifts them, gets zeros. */
function writeRevival(network: Network, { units, places, kernel, bias }: Revival): void {
  const { layer, shift, readers } = units;
  for (const [index, place] of places.entries()) {
    writeColumn(network, layer, place, (row) => kernel[row * places.length + index]!);
    network.parameters.get(`${layer.name}/bias`)![place] = bias[index]!;
    if (shift !== null) {
      writeColumn(network, shift, place, () => 0);
      network.parameters.get(`${shift.name}/bias`)![place] = 0;
    }
    for (const reader of readers) clearRows(network, reader, place, layer.kernel.at(-1)!);
  }
}

/** The same revival with zeros instead of new weights: for moments. */
function zerosOf({ units, places, kernel, bias }: Revival): Revival {
  return { units, places, kernel: new Float32Array(kernel.length), bias: new Float32Array(bias.length) };
}

/**
 * Gives new random weights to the dead units: those that are 0 in all positions of the sample. They contribute nothing
 * and have no gradient, so they would stay dead. The weights by which other layers read them become 0, so the network
 * still computes the same for these positions. Moments of all these weights become 0.
 *
 * @param from not changed; returned if the window has too few rows to judge.
 * @see Sokar et al. 2023, "The Dormant Neuron Phenomenon in Deep Reinforcement Learning", algorithm 1.
 */
export function reviveUnits<State>(sample: UnitSample<State>, from: Learnt, rng: Rng): Learnt {
  if (!isLargeEnough(sample.window)) return from;
  const { network, average, optimizer } = from;
  const revivals: Revival[] = [];
  visitUnits(sample, network, (units) => {
    revivals.push(drawRevival(sample.tf, units, rng));
  });
  const changed = (weights: Float32Array, changes: readonly Revival[]): Network => {
    const copy = networkOf(network.shape, weights.slice());
    for (const change of changes) writeRevival(copy, change);
    return copy;
  };
  const zeros = revivals.map(zerosOf);
  return {
    network: changed(network.weights, revivals),
    average: average && changed(average, revivals).weights,
    optimizer: {
      step: optimizer.step,
      firstMoment: changed(optimizer.firstMoment, zeros).weights,
      secondMoment: changed(optimizer.secondMoment, zeros).weights,
    },
  };
}
