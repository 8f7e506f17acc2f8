import type { Tensor, Tensor1D, Tensor2D, Tensor3D, Tensor4D } from '@tensorflow/tfjs-node';
import type { Tensorflow } from '../tensorflow/tensorflow.js';
import { movePairs, policySize, type BaseShape } from './base-shape.js';
import type { RawGradients } from './gradients/raw-gradients.js';
import type { Layer, LegalLayerBuilder, MoveVectors } from './layer-builder.js';
import type { LegalIndices } from './legal-indices.js';

/** Narrows indices to one form, which the network's shape determines, as it does the layers. */
function ofForm<Form extends LegalIndices['form']>(
  legal: LegalIndices,
  form: Form,
): Extract<LegalIndices, { form: Form }> {
  if (legal.form !== form) throw new RangeError(`expected legal indices for ${form}, got ${legal.form}`);
  return legal as Extract<LegalIndices, { form: Form }>;
}

/** A batch of observations, and the parameters to apply to it, by name. */
export interface TensorInputs {
  /** `[B, rows, columns, planes]` */
  readonly observations: Tensor4D;
  readonly parameters: ReadonlyMap<string, Tensor>;
}

/**
 * Applies the layers as differentiable functions on TensorFlow; planes are `[B, rows, columns, planes]`. Tensors belong
 * to the caller's `tf.tidy`.
 */
export class TensorLayers implements LegalLayerBuilder<Tensor, LegalIndices> {
  private readonly tf: Tensorflow;
  private readonly gradients: RawGradients;
  private readonly shape: BaseShape;
  private readonly inputs: TensorInputs;

  constructor(tf: Tensorflow, gradients: RawGradients, shape: BaseShape, inputs: TensorInputs) {
    this.tf = tf;
    this.gradients = gradients;
    this.shape = shape;
    this.inputs = inputs;
  }

  /** The kernel of a convolution. */
  private kernel({ name }: Layer): Tensor4D {
    return this.inputs.parameters.get(`${name}/kernel`) as Tensor4D;
  }

  private bias({ name }: Layer): Tensor1D {
    return this.inputs.parameters.get(`${name}/bias`) as Tensor1D;
  }

  observation(): Tensor {
    return this.inputs.observations;
  }

  inputConvolution(layer: Layer, planes: Tensor): Tensor {
    return this.gradients.inputConvolution(planes as Tensor4D, this.kernel(layer), this.bias(layer));
  }

  convolution(layer: Layer, planes: Tensor): Tensor {
    const kernel = this.kernel(layer);
    return this.gradients.convolution(planes as Tensor4D, kernel, this.bias(layer), layer.activation);
  }

  pooledShift(layer: Layer, planes: Tensor): Tensor {
    return this.pooledDense(layer, planes);
  }

  shiftRelu(_name: string, planes: Tensor, shift: Tensor): Tensor {
    return this.gradients.shiftRelu(planes as Tensor4D, shift as Tensor2D);
  }

  addRelu(_name: string, a: Tensor, b: Tensor): Tensor {
    return this.gradients.addRelu(a as Tensor4D, b as Tensor4D);
  }

  pooledDense(layer: Layer, planes: Tensor): Tensor {
    return this.dense(layer, this.gradients.globalPools(planes as Tensor4D));
  }

  dense(layer: Layer, vector: Tensor): Tensor {
    const sum = vector
      .matMul<Tensor2D>(this.inputs.parameters.get(`${layer.name}/kernel`)!)
      .add<Tensor2D>(this.bias(layer));
    return layer.activation === 'relu' ? this.gradients.relu(sum) : sum;
  }

  flatDense(layer: Layer, planes: Tensor): Tensor {
    return this.dense(layer, flat(planes));
  }

  squareOutput(layer: Layer, planes: Tensor): Tensor {
    return this.convolution(layer, planes);
  }

  squareLogits(_name: string, layer: Layer, planes: Tensor): Tensor {
    return flat(this.convolution(layer, planes));
  }

  /** Selects the logits from the products of all pairs of squares. */
  moveLogits(_name: string, from: Tensor, to: Tensor): Tensor {
    const [squares] = policySize(this.shape);
    const vectors = (planes: Tensor): Tensor3D => planes.reshape([planes.shape[0], squares, -1]);
    const products = this.tf.matMul(vectors(from), vectors(to), false, true);
    return flat(products).gather(this.tf.tensor1d(movePairs(this.shape), 'int32'), 1);
  }

  add(_name: string, a: Tensor, b: Tensor): Tensor {
    return a.add(b);
  }

  legalSquareLogits(layer: Layer, planes: Tensor, legal: LegalIndices): Tensor {
    const at = ofForm(legal, 'convolution');
    const kernel = this.kernel(layer);
    const logits = this.gradients.convolutionAt(planes as Tensor4D, kernel, this.bias(layer), at);
    return logits.reshape([planes.shape[0], -1]);
  }

  legalMoveLogits(layer: Layer, { from, to }: MoveVectors<Tensor>, legal: LegalIndices): Tensor {
    const parts = {
      queries: from as Tensor4D,
      keys: to as Tensor4D,
      kernel: this.kernel(layer),
      bias: this.bias(layer),
    };
    const logits = this.gradients.attentionAt(parts, ofForm(legal, 'attention'));
    return logits.reshape([from.shape[0], -1]);
  }

  legalElements(logits: Tensor, legal: LegalIndices): Tensor {
    const { elements } = ofForm(legal, 'dense');
    return this.gradients.elementsAt(logits, elements).reshape([logits.shape[0], -1]);
  }
}

/** `[B, n]`: all elements of each position in one row. */
function flat(tensor: Tensor): Tensor2D {
  return tensor.reshape([tensor.shape[0], -1]);
}
