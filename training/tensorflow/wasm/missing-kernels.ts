import type { Tensorflow } from '../tensorflow.js';
import { registerConvolutionGradients } from './convolution-gradients.js';
import { registerSegmentSum } from './segment-sum.js';

/** Registers the gradients that learning needs and the package of the WebAssembly backend lacks. Runs in browsers, too. */
export function registerMissingKernels(tf: Tensorflow): void {
  registerConvolutionGradients(tf);
  registerSegmentSum(tf);
}
