import type { Tensorflow } from '../tensorflow.js';
import { registerConvolutionGradients } from './convolution-gradients.js';
import { registerSegmentSum } from './segment-sum.js';

/** Registers the gradients that learning needs and the WebAssembly backend lacks. Also runs in browsers. */
export function registerMissingKernels(tf: Tensorflow): void {
  registerConvolutionGradients(tf);
  registerSegmentSum(tf);
}
