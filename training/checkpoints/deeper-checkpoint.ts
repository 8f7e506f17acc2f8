import { createRng } from '../../env/random.js';
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
 * Shlens 2016, "Net2Net", section 2.3). The averages of new parameters are their initial values, their moments zero.
 *
 * @param blocks undefined: as many as it has.
 * @param seed of the first convolutions of the new blocks.
 */
export function deepenCheckpoint(
  checkpoint: Checkpoint,
  blocks: number | undefined,
  seed: number,
): Checkpoint {
  const { network, average, optimizer, game } = checkpoint;
  const { config } = network.shape;
  if (blocks === undefined || blocks <= config.blocks) return checkpoint;
  const shape = networkShape(game, { ...config, blocks });
  const initial = createNetwork(shape, createRng(seed, 'init'));
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
