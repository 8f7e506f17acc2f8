import type * as tfjs from '@tensorflow/tfjs';

/**
 * TensorFlow.js with an active backend: the module `@tensorflow/tfjs-node` for the native one, `@tensorflow/tfjs` for
 * WebAssembly.
 */
export type Tensorflow = typeof tfjs;
