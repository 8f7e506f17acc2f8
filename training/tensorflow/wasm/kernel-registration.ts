import type { KernelConfig } from '@tensorflow/tfjs';
import { WASM_BACKEND } from '../backend-names.js';
import type { Tensorflow } from '../tensorflow.js';

/** A kernel of the WebAssembly backend, composed of other operations. */
export type WasmKernel = Pick<KernelConfig, 'kernelName' | 'kernelFunc'>;

/** Registers a kernel with the WebAssembly backend; an existing one of that name is replaced. */
export function registerWasmKernel(tf: Tensorflow, { kernelName, kernelFunc }: WasmKernel): void {
  const config = { kernelName, kernelFunc, backendName: WASM_BACKEND };
  // Registering over an existing kernel would warn on the console.
  if (findWasmKernel(tf, kernelName) !== undefined) tf.unregisterKernel(kernelName, WASM_BACKEND);
  tf.registerKernel(config);
}

/** A kernel of the WebAssembly backend by name; undefined if there is none. */
export function findWasmKernel(tf: Tensorflow, kernelName: string): KernelConfig | undefined {
  return tf.getKernel(kernelName, WASM_BACKEND);
}
