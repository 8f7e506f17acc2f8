import type { Tensor, Tensor1D, Tensor2D, Tensor4D } from '@tensorflow/tfjs-node';
import type { Operations } from './operations.js';
import type { Tensorflow } from '../tensorflow-module.js';

/** One attribute of an operation; `type` is one of the binding's `TF_ATTR_…`. */
interface OperationAttribute {
  readonly name: string;
  readonly type: number;
  readonly value: boolean | number | string | number[];
}

/** The members that this module uses of the class `NodeJSKernelBackend` of `@tensorflow/tfjs-node` 4.22. */
interface NativeBackend {
  readonly binding: Readonly<
    Record<
      'TF_FLOAT' | 'TF_INT32' | 'TF_ATTR_TYPE' | 'TF_ATTR_STRING' | 'TF_ATTR_INT' | 'TF_ATTR_BOOL',
      number
    >
  >;
  executeSingleOutput(name: string, attributes: OperationAttribute[], inputs: Tensor[]): Tensor;
  executeMultipleOutputs(
    name: string,
    attributes: OperationAttribute[],
    inputs: Tensor[],
    numOutputs: number,
  ): Tensor[];
}

/** Selects oneDNN kernels, which TensorFlow otherwise uses only after rewriting a graph. */
const ONEDNN_KERNEL = 'MklNameChangeOp';

/**
 * Single operations of native TensorFlow, whose TensorFlow.js counterparts take several passes over the data.
 *
 * @see https://www.tensorflow.org/api_docs/python/tf/raw_ops for the operations by name.
 */
export class RawOperations implements Operations {
  private readonly tf: Tensorflow;
  private readonly backend: NativeBackend;
  private readonly floatType: OperationAttribute;
  private readonly int32Indices: OperationAttribute;
  private readonly sameConvolution: readonly OperationAttribute[];
  private readonly hasBiasedConvolution: boolean;

  constructor(tf: Tensorflow) {
    this.tf = tf;
    this.backend = tf.backend() as unknown as NativeBackend;
    const { binding } = this.backend;
    this.floatType = this.type('T', binding.TF_FLOAT);
    this.int32Indices = this.type('Tindices', binding.TF_INT32);
    this.sameConvolution = [
      this.floatType,
      { name: 'strides', type: binding.TF_ATTR_INT, value: [1, 1, 1, 1] },
      { name: 'dilations', type: binding.TF_ATTR_INT, value: [1, 1, 1, 1] },
      { name: 'use_cudnn_on_gpu', type: binding.TF_ATTR_BOOL, value: true },
      this.text('padding', 'SAME'),
      this.text('data_format', 'NHWC'),
    ];
    this.hasBiasedConvolution = tf.tidy(() => this.canAddBiasInConvolution());
  }

  private type(name: string, value: number): OperationAttribute {
    return { name, type: this.backend.binding.TF_ATTR_TYPE, value };
  }

  private text(name: string, value: string): OperationAttribute {
    return { name, type: this.backend.binding.TF_ATTR_STRING, value };
  }

  private run(operation: string, attributes: readonly OperationAttribute[], inputs: Tensor[]): Tensor {
    return this.backend.executeSingleOutput(operation, [...attributes], inputs);
  }

  private sizes(shape: readonly number[]): Tensor1D {
    return this.tf.tensor1d([...shape], 'int32');
  }

  /** Whether this build of TensorFlow has oneDNN's convolution with bias, as builds for x86 do. */
  private canAddBiasInConvolution(): boolean {
    const { tf } = this;
    try {
      this.biasedConvolution(tf.zeros([1, 1, 1, 1]), tf.zeros([1, 1, 1, 1]), tf.zeros([1]));
      return true;
    } catch {
      return false;
    }
  }

  private biasedConvolution(input: Tensor4D, kernel: Tensor4D, bias: Tensor1D): Tensor4D {
    const attributes = [...this.sameConvolution, this.text('_kernel', ONEDNN_KERNEL)];
    return this.run('_MklNativeConv2DWithBias', attributes, [input, kernel, bias]) as Tensor4D;
  }

  convolution(input: Tensor4D, kernel: Tensor4D, bias: Tensor1D): Tensor4D {
    if (this.hasBiasedConvolution) return this.biasedConvolution(input, kernel, bias);
    const sum = this.run('Conv2D', this.sameConvolution, [input, kernel]);
    return this.run('BiasAdd', [this.floatType, this.text('data_format', 'NHWC')], [sum, bias]) as Tensor4D;
  }

  convolutionInputGradient(shape: readonly number[], kernel: Tensor4D, gradient: Tensor4D): Tensor4D {
    const inputs = [this.sizes(shape), kernel, gradient];
    return this.run('Conv2DBackpropInput', this.sameConvolution, inputs) as Tensor4D;
  }

  convolutionKernelGradient(input: Tensor4D, shape: readonly number[], gradient: Tensor4D): Tensor4D {
    const inputs = [input, this.sizes(shape), gradient];
    return this.run('Conv2DBackpropFilter', this.sameConvolution, inputs) as Tensor4D;
  }

  biasGradient(gradient: Tensor4D): Tensor1D {
    return this.run(
      'BiasAddGrad',
      [this.floatType, this.text('data_format', 'NHWC')],
      [gradient],
    ) as Tensor1D;
  }

  relu<T extends Tensor>(input: T): T {
    return this.run('Relu', [this.floatType], [input]) as T;
  }

  reluGradient<T extends Tensor>(gradient: T, output: T): T {
    return this.run('ReluGrad', [this.floatType], [gradient, output]) as T;
  }

  gather<T extends Tensor>(table: T, indices: Tensor1D): T {
    const attributes = [
      this.type('Tparams', this.backend.binding.TF_FLOAT),
      this.int32Indices,
      { name: 'validate_indices', type: this.backend.binding.TF_ATTR_BOOL, value: true },
    ];
    return this.run('Gather', attributes, [table, indices]) as T;
  }

  sumByRow<T extends Tensor>(values: T, indices: Tensor1D, numRows: number): T {
    const attributes = [
      this.floatType,
      this.int32Indices,
      this.type('Tnumsegments', this.backend.binding.TF_INT32),
    ];
    return this.run('UnsortedSegmentSum', attributes, [
      values,
      indices,
      this.tf.scalar(numRows, 'int32'),
    ]) as T;
  }

  scatter(values: Tensor1D, indices: Tensor1D, size: number): Tensor1D {
    const inputs = [indices.expandDims(1), values, this.sizes([size])];
    return this.run('ScatterNd', [this.floatType, this.int32Indices], inputs) as Tensor1D;
  }

  whereMaximum(input: Tensor4D, maximum: Tensor4D, atMaximum: Tensor4D, elsewhere: Tensor4D): Tensor4D {
    const inputs = [input.equal(maximum), atMaximum, elsewhere];
    return this.run('SelectV2', [this.floatType], inputs) as Tensor4D;
  }

  softmaxCrossEntropy(logits: Tensor2D, targets: Tensor2D): [loss: Tensor1D, gradient: Tensor2D] {
    const operation = 'SoftmaxCrossEntropyWithLogits';
    return this.backend.executeMultipleOutputs(operation, [this.floatType], [logits, targets], 2) as [
      Tensor1D,
      Tensor2D,
    ];
  }
}
