import type { Tensor, Tensor4D } from '@tensorflow/tfjs-node';
import { sizeOfShape } from '../../env/spaces/shape.js';
import type { Tensorflow } from '../tensorflow/tensorflow.js';
import type { Network } from './network.js';
import type { TensorNetwork } from './tensor-network.js';

/** Number of positions evaluated together, so that all activations fit in memory. */
export const BATCH_SIZE = 32;

/**
 * Calls `visit`, in a `tf.tidy`, with the parameters of a network and the positions of each batch.
 *
 * @param network of the shape of `weights`.
 * @param observations `[count, R, C, P]`
 */
export function visitBatches(
  tf: Tensorflow,
  network: TensorNetwork,
  { weights, observations }: Pick<Network, 'weights'> & { readonly observations: Float32Array },
  visit: (parameters: readonly Tensor[], planes: Tensor4D) => void,
): void {
  const size = sizeOfShape(network.shape.observation);
  const parameters = network.parameterTensors(weights);
  try {
    for (let first = 0; first < observations.length; first += BATCH_SIZE * size) {
      const some = observations.subarray(first, first + BATCH_SIZE * size);
      tf.tidy(() => {
        visit(parameters, network.observationTensor(some, some.length / size));
      });
    }
  } finally {
    tf.dispose(parameters);
  }
}
