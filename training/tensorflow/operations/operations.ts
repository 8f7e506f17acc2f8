import type { Tensor, Tensor1D, Tensor2D, Tensor4D } from '@tensorflow/tfjs';

/**
 * The operations that layers and their gradients consist of (training/network/gradients/), run eagerly and without
 * gradients. All tensors are float32 `[batch, rows, columns, planes]` unless stated otherwise; results belong to the
 * caller's `tf.tidy`. Each backend has the implementation that is fastest on it.
 */
export interface Operations {
  /** Convolution that keeps rows and columns, plus the bias `[out]`; kernel `[height, width, in, out]`. */
  convolution(input: Tensor4D, kernel: Tensor4D, bias: Tensor1D): Tensor4D;

  /** Gradient of `convolution` with respect to its input, whose `shape` is enough. */
  convolutionInputGradient(shape: readonly number[], kernel: Tensor4D, gradient: Tensor4D): Tensor4D;

  /** Gradient of `convolution` with respect to its kernel, whose `shape` is enough. */
  convolutionKernelGradient(input: Tensor4D, shape: readonly number[], gradient: Tensor4D): Tensor4D;

  /** Gradient of `convolution` with respect to its bias: the sum over all axes but planes. */
  biasGradient(gradient: Tensor4D): Tensor1D;

  /** `max(0, x)`. */
  relu<T extends Tensor>(input: T): T;

  /** Gradient of ReLU from its output: `gradient` where `output` is positive, else 0. */
  reluGradient<T extends Tensor>(gradient: T, output: T): T;

  /** Rows `indices` (int32 `[N]`) of `table` `[rows, …]`. */
  gather<T extends Tensor>(table: T, indices: Tensor1D): T;

  /** `[numRows, …]`: row `r` is the sum of the `values` `[N, …]` whose index (int32 `[N]`) is `r`. */
  sumByRow<T extends Tensor>(values: T, indices: Tensor1D, numRows: number): T;

  /** Zeros `[size]`, with `values` `[N]` added at `indices` (int32 `[N]`). */
  scatter(values: Tensor1D, indices: Tensor1D, size: number): Tensor1D;

  /**
   * `atMaximum` where `input` equals `maximum`, the maximum of its plane, else `elsewhere`; the last three arguments
   * are `[batch, 1, 1, planes]`.
   */
  whereMaximum(input: Tensor4D, maximum: Tensor4D, atMaximum: Tensor4D, elsewhere: Tensor4D): Tensor4D;

  /**
   * Cross-entropy `[B]` of softmax of `logits` `[B, K]` against `targets` `[B, K]`, whose rows sum to 1,
   * and its gradient with respect to the logits, `[B, K]`.
   */
  softmaxCrossEntropy(logits: Tensor2D, targets: Tensor2D): [loss: Tensor1D, gradient: Tensor2D];
}
