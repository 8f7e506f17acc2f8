import type { Tensor } from '@tensorflow/tfjs-node';
import { sizeOfShape } from '../../env/spaces/shape.js';
import type { Tensorflow } from '../tensorflow/tensorflow.js';
import { TrainingError } from '../training-error.js';
import type { Layer, TrunkBuilder } from './layer-builder.js';
import type { Network } from './network.js';
import { visitBatches } from './position-batches.js';
import { TensorNetwork } from './tensor-network.js';
import { trunk } from './trunk.js';

/** The range of a value of the trunk over some positions. */
export interface ActivationRange {
  readonly least: number;
  readonly greatest: number;
}

/** Measurements of a network for its int8 model. */
export interface Calibration {
  /** The ranges of the values of the trunk, by their names (layer-builder.ts). */
  readonly ranges: Readonly<Record<string, ActivationRange>>;
  /** `[3]` numbers to add to the outcome logits, so that their means equal those of float32. */
  readonly outcomeShift: readonly number[];
}

/** A builder like `builder` that also passes each value to `record`. */
function recorded<Value>(
  builder: TrunkBuilder<Value>,
  record: (name: string, value: Value) => void,
): TrunkBuilder<Value> {
  const report = (name: string, value: Value): Value => {
    record(name, value);
    return value;
  };
  return {
    observation: (name) => report(name, builder.observation(name)),
    inputConvolution: (layer: Layer, planes) => report(layer.name, builder.inputConvolution(layer, planes)),
    convolution: (layer, planes) => report(layer.name, builder.convolution(layer, planes)),
    pooledShift: (layer, planes) => report(layer.name, builder.pooledShift(layer, planes)),
    shiftRelu: (name, planes, shift) => report(name, builder.shiftRelu(name, planes, shift)),
    addRelu: (name, a, b) => report(name, builder.addRelu(name, a, b)),
  };
}

/**
 * The ranges of the trunk's activations over `count` positions. They are extremes, not percentiles: the global pools
 * read the greatest activations, and ranges that ended at the 99.99th percentile doubled the errors of a network's
 * values.
 *
 * @param observations `[count, R, C, P]`, at least one position.
 * @returns the ranges, and no shift of the outcome logits (outcome-shift.ts).
 * @throws TrainingError `network-not-finite` for a network that cannot play.
 */
export function calibrate(
  tf: Tensorflow,
  { shape, weights }: Network,
  observations: Float32Array,
  count: number,
): Calibration {
  const network = new TensorNetwork(tf, shape);
  const ranges: Record<string, ActivationRange> = {};
  const positions = observations.subarray(0, count * sizeOfShape(shape.observation));
  visitBatches(tf, network, { weights, observations: positions }, (parameters, planes) => {
    const names: string[] = [];
    const extremes: Tensor[] = [];
    const record = (name: string, tensor: Tensor): void => {
      names.push(name);
      extremes.push(tensor.min(), tensor.max());
    };
    trunk(recorded(network.layers(parameters, planes), record), shape);
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
  expectFinite(ranges);
  return { ranges, outcomeShift: [0, 0, 0] };
}

function expectFinite(ranges: Calibration['ranges']): void {
  for (const [name, { least, greatest }] of Object.entries(ranges)) {
    if (Number.isFinite(least) && Number.isFinite(greatest)) continue;
    throw new TrainingError(
      'network-not-finite',
      `expected finite activations, found ${least} to ${greatest} in the layer ${name} of the network`,
    );
  }
}
