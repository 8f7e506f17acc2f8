import type { Rng } from '../../env/random.js';
import { createNetwork, type Network, networkOf } from '../network/network.js';
import { networkShape } from '../network/network-shape.js';
import type { Checkpoint } from './checkpoint.js';

/** Copies the parameters that both networks have from `source` to `target`. */
function copyParameters(source: Network, target: Network): void {
  for (const [name, values] of source.parameters) target.parameters.get(name)!.set(values);
}

/**
 * The checkpoint with more residual blocks, up to `blocks`, behind those of its trunk; unchanged if it has as many. The
 * last convolution of a new block is zero, so the network computes the same function until it learns (Chen, Goodfellow,
 * Shlens 2016, "Net2Net", section 2.3). New parameters have no averages and no moments of the optimiser yet.
 *
 * @param rng initializes the first convolutions of the new blocks.
 */
export function deepenCheckpoint(checkpoint: Checkpoint, blocks: number, rng: Rng): Checkpoint {
  const { network, average, optimizer, game } = checkpoint;
  const { config } = network.shape;
  if (blocks <= config.blocks) return checkpoint;
  const shape = networkShape(game, { ...config, blocks });
  const initial = createNetwork(shape, rng);
  const deepen = (weights: Float32Array, start: Float32Array): Float32Array => {
    const deeper = networkOf(shape, start.slice());
    copyParameters(networkOf(network.shape, weights), deeper);
    return deeper.weights;
  };
  const zeros = new Float32Array(initial.weights.length);
  return {
    ...checkpoint,
    network: networkOf(shape, deepen(network.weights, initial.weights)),
    average: average && deepen(average, initial.weights),
    optimizer: optimizer && {
      step: optimizer.step,
      firstMoment: deepen(optimizer.firstMoment, zeros),
      secondMoment: deepen(optimizer.secondMoment, zeros),
    },
  };
}
