import type {
  backend_util,
  Conv2DBackpropFilterAttrs,
  Conv2DBackpropInputAttrs,
  KernelFunc,
  Tensor,
  Tensor4D,
} from '@tensorflow/tfjs';
import type { Tensorflow } from '../tensorflow.js';
import { findWasmKernel, registerWasmKernel } from './kernel-registration.js';

type ExplicitPadding = backend_util.ExplicitPadding;

/**
 * Registers the gradients of a convolution for the WebAssembly backend, each as a forward convolution, at which XNNPACK
 * is fast. The package has no gradient with respect to the kernel, and its gradient with respect to the input is four
 * times slower (docs/explanation/decisions/0009-webassembly-backend.md).
 */
export function registerConvolutionGradients(tf: Tensorflow): void {
  registerWasmKernel(tf, { kernelName: 'Conv2DBackpropFilter', kernelFunc: kernelGradient(tf) });
  const theirs = findWasmKernel(tf, 'Conv2DBackpropInput')!.kernelFunc;
  registerWasmKernel(tf, { kernelName: 'Conv2DBackpropInput', kernelFunc: inputGradient(tf, theirs) });
}

/**
 * The gradient with respect to the kernel. For a stride of `s`, entry `(u, v, i, o)` is the sum over `(b, y, x)` of
 * input `(b, s y + u, s x + v, i)` times gradient `(b, y, x, o)`: a convolution of the input, with its planes as
 * batches, with the gradient, with its batches as planes, dilated by the stride.
 */
function kernelGradient(tf: Tensorflow): KernelFunc {
  return ({ inputs, attrs }) => {
    const { x: input, dy: gradient } = inputs as Record<'x' | 'dy', Tensor4D>;
    const { strides, pad, dimRoundingMode, filterShape } = attrs as unknown as Conv2DBackpropFilterAttrs;
    const info = tf.backend_util.computeConv2DInfo(
      input.shape,
      filterShape,
      strides,
      1,
      pad,
      dimRoundingMode,
    );
    const { strideHeight, strideWidth, padInfo } = info;
    const { top, bottom, left, right } = padInfo;
    const padding: ExplicitPadding = [
      [0, 0],
      [top, bottom],
      [left, right],
      [0, 0],
    ];
    const [height, width, planes, filters] = filterShape;
    return tf.tidy(() => {
      const dilations: [number, number] = [strideHeight, strideWidth];
      const sums = tf.conv2d(
        input.transpose<Tensor4D>([3, 1, 2, 0]),
        gradient.transpose<Tensor4D>([1, 2, 0, 3]),
        1,
        padding,
        'NHWC',
        dilations,
      );
      // With strides, the kernel may not cover the last rows and columns of the input.
      const used = sums.slice([0, 0, 0, 0], [planes, height, width, filters]);
      return used.transpose([1, 2, 0, 3]);
    });
  };
}

/**
 * The gradient with respect to the input: for a stride of 1, a convolution of the gradient with the kernel rotated by
 * 180 degrees, with inputs and outputs exchanged and the complementary padding. `theirs`, the package's own kernel,
 * handles other strides and wider paddings.
 */
function inputGradient(tf: Tensorflow, theirs: KernelFunc): KernelFunc {
  return (call) => {
    const { dy: gradient, filter } = call.inputs as Record<'dy' | 'filter', Tensor4D>;
    const { strides, pad, dimRoundingMode, inputShape } = call.attrs as unknown as Conv2DBackpropInputAttrs;
    const info = tf.backend_util.computeConv2DInfo(
      inputShape,
      filter.shape,
      strides,
      1,
      pad,
      dimRoundingMode,
    );
    const { top, bottom, left, right } = info.padInfo;
    const [rows, columns] = [info.filterHeight - 1, info.filterWidth - 1];
    const rest = [rows - top, rows - bottom, columns - left, columns - right] as const;
    if (info.strideHeight !== 1 || info.strideWidth !== 1 || Math.min(...rest) < 0) return theirs(call);
    const padding: ExplicitPadding = [
      [0, 0],
      [rest[0], rest[1]],
      [rest[2], rest[3]],
      [0, 0],
    ];
    return tf.tidy((): Tensor => {
      const turned = filter.reverse<Tensor4D>([0, 1]).transpose<Tensor4D>([0, 1, 3, 2]);
      return tf.conv2d(gradient, turned, 1, padding);
    });
  };
}
