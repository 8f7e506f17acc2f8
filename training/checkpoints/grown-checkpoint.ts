import { createRng } from '../../env/random.js';
import { createNetwork, type Network, networkOf } from '../network/network.js';
import type { NetworkConfig } from '../network/network-config.js';
import { networkShape } from '../network/network-shape.js';
import { parameterSpecs } from '../network/parameter-specs.js';
import type { Checkpoint } from './checkpoint.js';

/** The settings of a network that can grow. */
export type NetworkSize = Pick<NetworkConfig, 'channels' | 'blocks'>;

/** The settings of a network with at least the channels and blocks of `size`. */
export function grownConfig(config: NetworkConfig, size: Partial<NetworkSize>): NetworkConfig {
  return {
    ...config,
    channels: Math.max(config.channels, size.channels ?? 0),
    blocks: Math.max(config.blocks, size.blocks ?? 0),
  };
}

/** The lengths of an axis in the smaller and in the larger network. */
interface AxisLengths {
  readonly before: number;
  readonly after: number;
}

/**
 * The index in the smaller network of each element of an axis; -1 for a new element. An axis that grows consists of one
 * or more groups of all channels, one after the other: the hidden layer reads the means of all channels, then their
 * maxima.
 */
function formerIndices(lengths: AxisLengths, channels: AxisLengths): Int32Array {
  if (lengths.before === lengths.after)
    return Int32Array.from({ length: lengths.after }, (_, index) => index);
  return Int32Array.from({ length: lengths.after }, (_, index) => {
    const channel = index % channels.after;
    const group = (index - channel) / channels.after;
    return channel < channels.before ? group * channels.before + channel : -1;
  });
}

/** `[positions, in, out]`: the shape of a parameter; a bias has one position and one input. */
function matrixShape(shape: readonly number[]): readonly [number, number, number] {
  const [outputs, inputs = 1, ...window] = shape.toReversed();
  return [window.reduce((product, length) => product * length, 1), inputs, outputs!];
}

/**
 * Copies the parameters of `source` into the larger network `target`. New outputs keep their values in `target`; new
 * inputs of former outputs get the weight 0.
 */
function copyParameters(source: Network, target: Network): void {
  const channels = { before: source.shape.config.channels, after: target.shape.config.channels };
  const specs = new Map(parameterSpecs(target.shape).map(({ name, shape }) => [name, shape]));
  for (const { name, shape } of parameterSpecs(source.shape)) {
    const [positions, inputsBefore, outputsBefore] = matrixShape(shape);
    const [, inputsAfter, outputsAfter] = matrixShape(specs.get(name)!);
    const inputs = formerIndices({ before: inputsBefore, after: inputsAfter }, channels);
    const outputs = formerIndices({ before: outputsBefore, after: outputsAfter }, channels);
    const values = source.parameters.get(name)!;
    const grown = target.parameters.get(name)!;
    for (let row = 0; row < positions * inputsAfter; row++) {
      const input = inputs[row % inputsAfter]!;
      const formerRow = Math.floor(row / inputsAfter) * inputsBefore + input;
      for (let column = 0; column < outputsAfter; column++) {
        const output = outputs[column]!;
        if (output < 0) continue;
        grown[row * outputsAfter + column] = input < 0 ? 0 : values[formerRow * outputsBefore + output]!;
      }
    }
  }
}

/**
 * The checkpoint with a network of more channels, more residual blocks, or both; unchanged if it has as many. The last
 * convolution of a new block is zero, and so are the weights of new channels in all former outputs; so the network
 * computes the same function until it learns, up to rounding: a wider layer may add the same products in another
 * order (the idea of Chen, Goodfellow, Shlens 2016, "Net2Net"; they duplicate channels instead). The averages of new
 * parameters are their initial values, their moments zero.
 *
 * @param size absent settings: those of the checkpoint.
 * @param seed of the new parameters.
 */
export function growCheckpoint(checkpoint: Checkpoint, size: Partial<NetworkSize>, seed: number): Checkpoint {
  const { network, average, optimizer, game } = checkpoint;
  const { config } = network.shape;
  const larger = grownConfig(config, size);
  if (larger.channels === config.channels && larger.blocks === config.blocks) return checkpoint;
  const shape = networkShape(game, larger);
  const initial = createNetwork(shape, createRng(seed, 'init'));
  const grow = (weights: Float32Array, start: Float32Array): Float32Array => {
    const grown = networkOf(shape, start.slice());
    copyParameters(networkOf(network.shape, weights), grown);
    return grown.weights;
  };
  const zeros = new Float32Array(initial.weights.length);
  return {
    ...checkpoint,
    network: networkOf(shape, grow(network.weights, initial.weights)),
    average: average && grow(average, initial.weights),
    optimizer: optimizer && {
      step: optimizer.step,
      firstMoment: grow(optimizer.firstMoment, zeros),
      secondMoment: grow(optimizer.secondMoment, zeros),
    },
  };
}
