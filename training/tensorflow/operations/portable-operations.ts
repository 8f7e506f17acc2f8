import type { Tensor, Tensor1D, Tensor2D, Tensor4D } from '@tensorflow/tfjs';
import type { Operations } from './operations.js';
import type { Tensorflow } from '../tensorflow-module.js';

/** TensorFlow.js's own operations, for every backend with kernels for the gradients. */
export class PortableOperations implements Operations {
  private readonly tf: Tensorflow;

  constructor(tf: Tensorflow) {
    this.tf = tf;
  }

  convolution(input: Tensor4D, kernel: Tensor4D, bias: Tensor1D): Tensor4D {
    return this.tf.fused.conv2d({ x: input, filter: kernel, strides: 1, pad: 'same', bias });
  }

  convolutionInputGradient(shape: readonly number[], kernel: Tensor4D, gradient: Tensor4D): Tensor4D {
    return this.tf.conv2dTranspose(gradient, kernel, shape as Tensor4D['shape'], 1, 'same');
  }

  convolutionKernelGradient(input: Tensor4D, shape: readonly number[], gradient: Tensor4D): Tensor4D {
    // TensorFlow.js has no public function for this kernel.
    const inputs = { x: input, dy: gradient };
    const attributes = { strides: 1, pad: 'same', dataFormat: 'NHWC', filterShape: [...shape] };
    return this.tf.engine().runKernel<Tensor4D>('Conv2DBackpropFilter', inputs, attributes);
  }

  biasGradient(gradient: Tensor4D): Tensor1D {
    // In two steps: one running sum of a hundred thousand float32 numbers would lose digits.
    return gradient.sum([1, 2]).sum(0);
  }

  relu<T extends Tensor>(input: T): T {
    return input.relu();
  }

  reluGradient<T extends Tensor>(gradient: T, output: T): T {
    return gradient.mul(output.step());
  }

  gather<T extends Tensor>(table: T, indices: Tensor1D): T {
    return table.gather(indices);
  }

  sumByRow<T extends Tensor>(values: T, indices: Tensor1D, numRows: number): T {
    return this.tf.unsortedSegmentSum(values, indices, numRows);
  }

  scatter(values: Tensor1D, indices: Tensor1D, size: number): Tensor1D {
    return this.tf.unsortedSegmentSum(values, indices, size);
  }

  whereMaximum(input: Tensor4D, maximum: Tensor4D, atMaximum: Tensor4D, elsewhere: Tensor4D): Tensor4D {
    // Comparisons and selections with broadcasting are slow on WebAssembly: a step would take a third longer.
    const isMaximum = this.tf.sub<Tensor4D>(1, maximum.sub(input).step());
    return isMaximum.mul(atMaximum.sub(elsewhere)).add(elsewhere);
  }

  softmaxCrossEntropy(logits: Tensor2D, targets: Tensor2D): [loss: Tensor1D, gradient: Tensor2D] {
    const below = logits.sub(logits.max(1, true));
    const logs = below.sub<Tensor2D>(below.exp().sum(1, true).log());
    return [logs.mul(targets).sum<Tensor1D>(1).neg(), logs.exp().sub(targets)];
  }
}
