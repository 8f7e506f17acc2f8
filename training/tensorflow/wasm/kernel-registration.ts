import type { KernelConfig } from '@tensorflow/tfjs';
import { WASM_BACKEND, type Tensorflow } from '../tensorflow.js';

/** A kernel of the WebAssembly backend, made of other operations. */
export type WasmKernel = Pick<KernelConfig, 'kernelName' | 'kernelFunc'>;

/** Adds a kernel to the WebAssembly backend, in place of the one of that name, if there is one. */
export function registerWasmKernel(tf: Tensorflow, { kernelName, kernelFunc }: WasmKernel): void {
  const config = { kernelName, kernelFunc, backendName: WASM_BACKEND };
  // Registering over another one warns on the console.
  if (findWasmKernel(tf, kernelName) !== undefined) tf.unregisterKernel(kernelName, WASM_BACKEND);
  tf.registerKernel(config);
}

/** The kernel of that name of the WebAssembly backend; undefined without one. */
export function findWasmKernel(tf: Tensorflow, kernelName: string): KernelConfig | undefined {
  return tf.getKernel(kernelName, WASM_BACKEND);
}
