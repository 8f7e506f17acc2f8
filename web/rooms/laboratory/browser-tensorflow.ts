import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import binary from '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url';
import * as core from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-core/dist/public/chained_ops/register_all_chained_ops.js';
import '@tensorflow/tfjs-core/dist/register_all_gradients.js';
import { WASM_BACKEND } from '../../../training/tensorflow/backend-names.js';
import type { Tensorflow } from '../../../training/tensorflow/tensorflow.js';
import { registerMissingKernels } from '../../../training/tensorflow/wasm/missing-kernels.js';
import { TrainingError } from '../../../training/training-error.js';

/**
 * Loads TensorFlow.js on WebAssembly with 128-bit instructions, on one thread: only its operations,
 * without the layers, model readers and other backends of the whole package.
 *
 * @throws TrainingError `wasm-failed`.
 */
export async function loadBrowserTensorflow(): Promise<Tensorflow> {
  // Threads need headers that a plain file server does not send.
  core.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  if (!(await core.env().getAsync('WASM_HAS_SIMD_SUPPORT'))) {
    throw new TrainingError('wasm-failed', 'expected a browser with WebAssembly SIMD');
  }
  const { href } = new URL(binary, import.meta.url);
  setWasmPaths({
    'tfjs-backend-wasm.wasm': href,
    'tfjs-backend-wasm-simd.wasm': href,
    'tfjs-backend-wasm-threaded-simd.wasm': href,
  });
  // TensorFlow.js writes the reason of a failure to the console.
  const isReady = await core.setBackend(WASM_BACKEND).catch(() => false);
  if (!isReady) throw new TrainingError('wasm-failed', 'TensorFlow.js did not start on WebAssembly');
  const tf = core as unknown as Tensorflow;
  registerMissingKernels(tf);
  return tf;
}
