import { createRequire } from 'node:module';
import type * as wasmBackend from '@tensorflow/tfjs-backend-wasm';
import { explainMissing, type OptionalPackage } from '../../../env/optional-packages.js';
import { TrainingError } from '../../training-error.js';
import { WASM_BACKEND } from '../backend-names.js';
import type { Tensorflow } from '../tensorflow.js';
import { registerMissingKernels } from './missing-kernels.js';

let loading: Promise<Tensorflow> | undefined;

/** Requires a package; both packages are CommonJS, and must be the instances that `require` finds elsewhere. */
function requireOptional(name: OptionalPackage): unknown {
  try {
    return createRequire(import.meta.url)(name) as unknown;
  } catch (error) {
    throw explainMissing(name, error);
  }
}

async function load(): Promise<Tensorflow> {
  const tf = requireOptional('@tensorflow/tfjs') as Tensorflow;
  const wasm = requireOptional('@tensorflow/tfjs-backend-wasm') as typeof wasmBackend;
  // The package has a multithreaded build, but does not use it in Node, so results cannot depend on the number of
  // threads.
  wasm.setThreadsCount(1);
  const isReady = await tf.setBackend(WASM_BACKEND);
  if (!isReady) {
    throw new TrainingError('wasm-failed', 'TensorFlow.js did not start on WebAssembly');
  }
  registerMissingKernels(tf);
  return tf;
}

/**
 * Loads TensorFlow.js on WebAssembly and registers the gradients that its package lacks. No other module loads it. It
 * needs only npm packages and no network. The first call takes a quarter of a second; later calls return the same
 * module. It has one thread, with 128-bit instructions if Node supports them, and becomes the active backend of this
 * process.
 *
 * @throws TrainingError `wasm-failed`; PackageError `package-missing`.
 */
export async function loadWasmTensorflow(): Promise<Tensorflow> {
  loading ??= load();
  return loading;
}
