import type { Scalar } from '@tensorflow/tfjs-node';
import { sizeOfShape } from '../../env/spaces/shape.js';
import type { Tensorflow } from '../tensorflow/tensorflow.js';
import type { Network } from './network.js';
import { ParameterTensors, TensorNetwork } from './tensor-network.js';

/** The least and the greatest number that a value of the trunk took, over some positions. */
export interface ActivationRange {
  readonly least: number;
  readonly greatest: number;
}

/** The ranges of what flows between the layers of the trunk, by the names of the values in the ONNX graph. */
export type Calibration = Readonly<Record<string, ActivationRange>>;

/** Positions that go through the network at once, so that all activations fit in memory. */
const BATCH_SIZE = 32;

/**
 * The ranges of the trunk's activations over `count` positions. These are the extremes, not percentiles: the global pools
 * read the greatest activations, and a network whose ranges ended at the 99.99th percentile told values twice as far off.
 *
 * @param observations `[count, R, C, P]`, at least one position.
 */
export function calibrate(
  tf: Tensorflow,
  network: Network,
  observations: Float32Array,
  count: number,
): Calibration {
  const trunk = new TensorNetwork(tf, network.shape);
  const size = sizeOfShape(network.shape.observation);
  const ranges: Record<string, ActivationRange> = {};
  for (let first = 0; first < count; first += BATCH_SIZE) {
    const batch = Math.min(BATCH_SIZE, count - first);
    const some = observations.subarray(first * size, (first + batch) * size);
    tf.tidy(() => {
      const parameters = new ParameterTensors(trunk.specs, trunk.parameterTensors(network.weights));
      const names: string[] = [];
      const extremes: Scalar[] = [];
      trunk.features(parameters, trunk.observationTensor(some, batch), (name, tensor) => {
        names.push(name);
        extremes.push(tensor.min(), tensor.max());
      });
      const numbers = tf.stack(extremes).dataSync<'float32'>();
      for (const [i, name] of names.entries()) {
        const [least, greatest] = [numbers[2 * i]!, numbers[2 * i + 1]!];
        const before = ranges[name] ?? { least, greatest };
        ranges[name] = {
          least: Math.min(before.least, least),
          greatest: Math.max(before.greatest, greatest),
        };
      }
    });
  }
  return ranges;
}
