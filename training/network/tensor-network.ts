import { sizeOfShape } from '../../env/spaces/shape.js';
import type { Tensor, Tensor1D, Tensor2D, Tensor4D } from '@tensorflow/tfjs-node';
import {
  auxiliaryHeads,
  isNumberHead,
  isPooled,
  movePairs,
  parameterSpecs,
  type AuxiliaryHead,
  type NetworkShape,
  type ParameterSpec,
  type PolicyName,
} from './network.js';
import { RawGradients, type AttentionParts, type SquareMoves, type SquarePlanes } from './raw-gradients.js';
import type { Tensorflow } from '../tensorflow/tensorflow.js';

/** Logits of whole batches, as plain arrays. */
export interface Logits {
  /** `[B, numActions]` by policy index. */
  readonly policy: Float32Array;
  /** `[B, 3]` win, draw, loss of the player to move. */
  readonly outcome: Float32Array;
  /** Of the heads that the network has beside these (network.ts). */
  readonly auxiliary: ReadonlyMap<AuxiliaryHead, Float32Array>;
}

/** Heads that answer no logit an action. */
export type PlainHead = Exclude<AuxiliaryHead, 'reply'>;

/** What the heads without a logit an action answer. */
export interface HeadOutputs {
  /** `[B, 3]` */
  readonly outcome: Tensor2D;
  readonly auxiliary: ReadonlyMap<PlainHead, Tensor>;
}

/** Actions of a batch: `legal` `[size, width]` policy indices. */
export interface BatchActions {
  readonly size: number;
  readonly width: number;
  readonly legal: Int32Array;
}

/** Where the logits of the legal actions of a batch are, `N = B * K`. */
export type LegalIndices =
  | ({ readonly head: 'convolution' } & SquarePlanes)
  | ({ readonly head: 'attention' } & SquareMoves)
  /** `elements`: int32 `[N]` index into the flattened `[B, numActions]`. */
  | { readonly head: 'dense'; readonly elements: Tensor1D };

/** Is shown a value of the network by its name in the ONNX graph; the tensor is not its own. */
export type SeeActivations = (value: string, tensor: Tensor) => void;

/** The network (network.ts) as differentiable functions of its parameters, on TensorFlow. */
export class TensorNetwork {
  readonly shape: NetworkShape;
  readonly specs: readonly ParameterSpec[];
  readonly gradients: RawGradients;
  private readonly tf: Tensorflow;

  constructor(tf: Tensorflow, shape: NetworkShape) {
    this.tf = tf;
    this.shape = shape;
    this.specs = parameterSpecs(shape);
    this.gradients = new RawGradients(tf);
  }

  /** One tensor a parameter, in the order of `specs`; the caller's `tf.tidy` owns them. */
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

  /**
   * The trunk's output, `[B, rows, columns, channels]`.
   *
   * @param see called with what flows between the layers, by the names of the values in the ONNX graph.
   */
  features(parameters: ParameterTensors, observations: Tensor4D, see?: SeeActivations): Tensor4D {
    const { gradients } = this;
    const stem = parameters.convolution('stem');
    let features = gradients.inputConvolution(observations, stem.kernel, stem.bias);
    see?.('planes', observations);
    see?.('stem', features);
    for (let block = 1; block <= this.shape.config.blocks; block++) {
      const first = parameters.convolution(`block${block}_first`);
      const second = parameters.convolution(`block${block}_second`);
      let inner: Tensor4D;
      if (isPooled(block, this.shape.config)) {
        const sum = gradients.convolution(features, first.kernel, first.bias, 'none');
        const shift = this.poolShift(parameters, block, features, see);
        inner = gradients.shiftRelu(sum, shift);
        see?.(`block${block}_first/sum`, sum);
        see?.(`block${block}_shift/sum`, shift);
      } else inner = gradients.convolution(features, first.kernel, first.bias, 'relu');
      const branch = gradients.convolution(inner, second.kernel, second.bias, 'none');
      features = gradients.addRelu(features, branch);
      see?.(`block${block}_first`, inner);
      see?.(`block${block}_second/sum`, branch);
      see?.(`block${block}_second`, features);
    }
    return features;
  }

  /** `[B, channels]` what a pooled block adds everywhere. */
  private poolShift(
    parameters: ParameterTensors,
    block: number,
    features: Tensor4D,
    see?: SeeActivations,
  ): Tensor2D {
    const { gradients } = this;
    const pool = parameters.convolution(`block${block}_pool`);
    const shift = parameters.dense(`block${block}_shift`);
    const planes = gradients.convolution(features, pool.kernel, pool.bias, 'relu');
    see?.(`block${block}_pool`, planes);
    return gradients.globalPools(planes).matMul<Tensor2D>(shift.kernel).add(shift.bias);
  }

  /** All heads but those with a logit an action. */
  heads(parameters: ParameterTensors, features: Tensor4D): HeadOutputs {
    const { gradients } = this;
    const hidden = parameters.dense('hidden');
    const pooled = gradients.globalPools(features);
    const active = gradients.relu(pooled.matMul<Tensor2D>(hidden.kernel).add<Tensor2D>(hidden.bias));
    const dense = (name: string): Tensor2D => {
      const { kernel, bias } = parameters.dense(name);
      return active.matMul<Tensor2D>(kernel).add(bias);
    };
    const planes = (name: string): Tensor4D => {
      const { kernel, bias } = parameters.convolution(name);
      return gradients.convolution(features, kernel, bias, 'none');
    };
    const auxiliary = auxiliaryHeads(this.shape.config)
      .filter((head) => head !== 'reply')
      .map((head) => [head, isNumberHead(head) ? dense(head) : planes(head)] as const);
    return { outcome: dense('outcome'), auxiliary: new Map(auxiliary) };
  }

  /** `[B, numActions]` of the policy or another head like it. */
  policyLogits(parameters: ParameterTensors, features: Tensor4D, name: PolicyName = 'policy'): Tensor2D {
    const { gradients } = this;
    const [batch] = features.shape;
    if (this.shape.policyHead === 'attention') return this.attentionLogits(parameters, features, name);
    if (this.shape.policyHead === 'convolution') {
      const policy = parameters.convolution(name);
      return gradients.convolution(features, policy.kernel, policy.bias, 'none').reshape([batch, -1]);
    }
    const planes = parameters.convolution(`${name}_planes`);
    const policy = parameters.dense(name);
    const flat = gradients.convolution(features, planes.kernel, planes.bias, 'relu').reshape([batch, -1]);
    return (flat as Tensor2D).matMul<Tensor2D>(policy.kernel).add(policy.bias);
  }

  private attention(parameters: ParameterTensors, features: Tensor4D, name: PolicyName): AttentionParts {
    const project = (layer: string): Tensor4D => {
      const { kernel, bias } = parameters.convolution(layer);
      return this.gradients.convolution(features, kernel, bias, 'none');
    };
    return {
      queries: project(`${name}_from`),
      keys: project(`${name}_to`),
      ...parameters.convolution(name),
    };
  }

  /** `[B, numActions]`, of the products of all pairs of squares. */
  private attentionLogits(parameters: ParameterTensors, features: Tensor4D, name: PolicyName): Tensor2D {
    const { tf, shape } = this;
    const { queries, keys, kernel, bias } = this.attention(parameters, features, name);
    const [batch, rows, columns, width] = queries.shape;
    const squares = rows * columns;
    const products = tf.matMul(
      queries.reshape([batch, squares, width]),
      keys.reshape([batch, squares, width]),
      false,
      true,
    );
    const ofPairs = products.reshape([batch, -1]).gather(tf.tensor1d(movePairs(shape), 'int32'), 1);
    const ofPlanes = this.gradients.convolution(queries, kernel, bias, 'none');
    return ofPairs.add(ofPlanes.reshape([batch, -1]));
  }

  /** `[B, K]` logits of the legal actions; those of padding mean nothing. */
  legalLogits(
    parameters: ParameterTensors,
    features: Tensor4D,
    legal: LegalIndices,
    name: PolicyName = 'policy',
  ): Tensor2D {
    const { gradients } = this;
    const [batch] = features.shape;
    if (legal.head === 'dense') {
      const logits = this.policyLogits(parameters, features, name);
      return gradients.elementsAt(logits, legal.elements).reshape([batch, -1]);
    }
    if (legal.head === 'attention') {
      return gradients.attentionAt(this.attention(parameters, features, name), legal).reshape([batch, -1]);
    }
    const policy = parameters.convolution(name);
    return gradients.convolutionAt(features, policy.kernel, policy.bias, legal).reshape([batch, -1]);
  }

  /** Where the logits of these actions of a batch are; the caller's `tf.tidy` owns the tensors. */
  legalIndices(batch: BatchActions): LegalIndices {
    const { tf, shape } = this;
    const count = batch.size * batch.width;
    if (shape.policyHead === 'dense') {
      const elements = new Int32Array(count);
      for (let i = 0; i < count; i++) {
        elements[i] = Math.floor(i / batch.width) * shape.numActions + batch.legal[i]!;
      }
      return { head: 'dense', elements: tf.tensor1d(elements, 'int32') };
    }
    const squares = new Int32Array(count);
    const planes = new Int32Array(count);
    const { policyTargets } = shape;
    const targets = new Int32Array(policyTargets === undefined ? 0 : count);
    const [rows, columns] = shape.observation;
    const numSquares = rows * columns;
    const numPlanes = shape.numActions / numSquares;
    for (let row = 0, i = 0; row < batch.size; row++) {
      for (const end = i + batch.width; i < end; i++) {
        const index = batch.legal[i]!;
        const square = Math.floor(index / numPlanes);
        squares[i] = row * numSquares + square;
        planes[i] = index - square * numPlanes;
        if (policyTargets !== undefined) targets[i] = row * numSquares + policyTargets[index]!;
      }
    }
    const at = { squares: tf.tensor1d(squares, 'int32'), planes: tf.tensor1d(planes, 'int32') };
    if (shape.policyHead === 'convolution') return { head: 'convolution', ...at };
    return { head: 'attention', ...at, targets: tf.tensor1d(targets, 'int32') };
  }

  /** All logits of `count` positions, `observations` `[count, rows, columns, planes]`. */
  predict(weights: Float32Array, observations: Float32Array, count: number): Logits {
    const { tf } = this;
    const [policy, outcome, ...auxiliary] = tf.tidy(() => {
      const parameters = new ParameterTensors(this.specs, this.parameterTensors(weights));
      const features = this.features(parameters, this.observationTensor(observations, count));
      const heads = this.heads(parameters, features);
      const others = auxiliaryHeads(this.shape.config).map((head) =>
        head === 'reply' ? this.policyLogits(parameters, features, head) : heads.auxiliary.get(head)!,
      );
      return [this.policyLogits(parameters, features), heads.outcome, ...others];
    });
    try {
      return {
        policy: policy.dataSync<'float32'>(),
        outcome: outcome.dataSync<'float32'>(),
        auxiliary: new Map(
          auxiliaryHeads(this.shape.config).map((head, i) => [head, auxiliary[i]!.dataSync<'float32'>()]),
        ),
      };
    } finally {
      tf.dispose([policy, outcome, ...auxiliary]);
    }
  }
}

/** The parameters of each layer. */
export class ParameterTensors {
  private readonly tensors: ReadonlyMap<string, Tensor>;

  /** @param tensors in the order of `specs`. */
  constructor(specs: readonly ParameterSpec[], tensors: readonly Tensor[]) {
    this.tensors = new Map(specs.map((spec, index) => [spec.name, tensors[index]!]));
  }

  /** Kernel and bias of the convolution with this name. */
  convolution(name: string): { readonly kernel: Tensor4D; readonly bias: Tensor1D } {
    return { kernel: this.tensors.get(`${name}/kernel`) as Tensor4D, bias: this.bias(name) };
  }

  /** Kernel and bias of the dense layer with this name. */
  dense(name: string): { readonly kernel: Tensor2D; readonly bias: Tensor1D } {
    return { kernel: this.tensors.get(`${name}/kernel`) as Tensor2D, bias: this.bias(name) };
  }

  private bias(name: string): Tensor1D {
    return this.tensors.get(`${name}/bias`) as Tensor1D;
  }
}
