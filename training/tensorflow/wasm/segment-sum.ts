import type { Tensor, UnsortedSegmentSumAttrs } from '@tensorflow/tfjs';
import type { Tensorflow } from '../tensorflow.js';
import { registerWasmKernel } from './kernel-registration.js';

/**
 * Registers `UnsortedSegmentSum`, the gradient of `gather`, for the WebAssembly backend: it sums values by index, as
 * `ScatterNd` does for repeated indices.
 */
export function registerSegmentSum(tf: Tensorflow): void {
  registerWasmKernel(tf, {
    kernelName: 'UnsortedSegmentSum',
    kernelFunc: ({ inputs, attrs }) => {
      const { x: values, segmentIds } = inputs as Record<'x' | 'segmentIds', Tensor>;
      const { numSegments } = attrs as unknown as UnsortedSegmentSumAttrs;
      const sizes = values.shape.slice(segmentIds.rank);
      return tf.tidy(() =>
        tf.scatterND(segmentIds.reshape([segmentIds.size, 1]), values.reshape([segmentIds.size, ...sizes]), [
          numSegments,
          ...sizes,
        ]),
      );
    },
  });
}
