import type { Tensor, Tensor4D } from '@tensorflow/tfjs-node';
import { sizeOfShape } from '../../env/spaces/shape.js';
import type { Tensorflow } from '../tensorflow/tensorflow.js';
import { RawGradients } from './gradients/raw-gradients.js';
import { headOutputs } from './heads/head-outputs.js';
import type { HeadName } from './heads/head-table.js';
import type { NetworkShape } from './network-shape.js';
import { parameterSpecs, type ParameterSpec } from './parameter-specs.js';
import { type TensorInputs, TensorLayers } from './tensor-layers.js';
import { trunk } from './trunk.js';

/** Outputs of the heads for a batch, by name: plain arrays `[B, …]`, in the order of the heads. */
export type Logits = ReadonlyMap<HeadName, Float32Array>;

/** A network of some shape on TensorFlow. */
export class TensorNetwork {
  readonly shape: NetworkShape;
  readonly gradients: RawGradients;
  private readonly tf: Tensorflow;
  private readonly specs: readonly ParameterSpec[];

  constructor(tf: Tensorflow, shape: NetworkShape) {
    this.tf = tf;
    this.shape = shape;
    this.specs = parameterSpecs(shape);
    this.gradients = new RawGradients(tf);
  }

  /** One tensor per parameter, in the order of `parameterSpecs`; the caller or its `tf.tidy` owns them. */
  parameterTensors(weights: Float32Array): Tensor[] {
    let start = 0;
    return this.specs.map((spec) => {
      const end = start + sizeOfShape(spec.shape);
      const tensor = this.tf.tensor(weights.subarray(start, end), [...spec.shape], 'float32');
      start = end;
      return tensor;
    });
  }

  /** `[count, rows, columns, planes]` of the first `count` observations. */
  observationTensor(observations: Float32Array, count: number): Tensor4D {
    const [rows, columns, planes] = this.shape.observation;
    const values = observations.subarray(0, count * rows * columns * planes);
    return this.tf.tensor4d(values, [count, rows, columns, planes]);
  }

  /** The layers, with parameters in the order of `parameterSpecs`, on a batch of observations. */
  layers(parameters: readonly Tensor[], observations: Tensor4D): TensorLayers {
    return new TensorLayers(this.tf, this.gradients, this.shape, this.inputs(parameters, observations));
  }

  /** A batch of observations, and the parameters by name, for other kinds of layers. */
  inputs(parameters: readonly Tensor[], observations: Tensor4D): TensorInputs {
    return {
      observations,
      parameters: new Map(this.specs.map((spec, index) => [spec.name, parameters[index]!])),
    };
  }

  /** The outputs of all heads for `count` positions, `observations` `[count, rows, columns, planes]`. */
  predict(weights: Float32Array, observations: Float32Array, count: number): Logits {
    const parameters = this.parameterTensors(weights);
    try {
      return this.predictWith(parameters, observations, count);
    } finally {
      this.tf.dispose(parameters);
    }
  }

  /** Like `predict`, but with tensors of `parameterTensors`, which the caller still owns. */
  predictWith(parameters: readonly Tensor[], observations: Float32Array, count: number): Logits {
    const { tf, shape } = this;
    const names: HeadName[] = [];
    const tensors = tf.tidy(() => {
      const layers = this.layers(parameters, this.observationTensor(observations, count));
      const outputs = headOutputs(layers, shape, trunk(layers, shape));
      names.push(...outputs.keys());
      return [...outputs.values()];
    });
    try {
      return new Map(names.map((name, i) => [name, tensors[i]!.dataSync<'float32'>()]));
    } finally {
      tf.dispose(tensors);
    }
  }
}
