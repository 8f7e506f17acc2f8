import { TrainingError } from '../training-error.js';
import {
  loadTensorflow,
  NATIVE_BACKEND,
  type Tensorflow,
  type TensorflowOptions,
  WASM_BACKEND,
} from './tensorflow.js';
import { loadWasmTensorflow } from './wasm/loading.js';

/** What can run TensorFlow: its native library, on all threads asked for; WebAssembly, on one, anywhere. */
export const BACKENDS = ['native', 'wasm'] as const;

/** See `BACKENDS`. */
export type Backend = (typeof BACKENDS)[number];

/** Which of them a person wants; `auto` is native TensorFlow where it is set up, else WebAssembly. */
export type BackendChoice = Backend | 'auto';

/** What runs TensorFlow in this process. */
export function runningBackend(tf: Tensorflow): Backend {
  return tf.getBackend() === NATIVE_BACKEND ? 'native' : 'wasm';
}

/** TensorFlow, and what runs it. */
export interface LoadedTensorflow {
  readonly tf: Tensorflow;
  readonly backend: Backend;
  /** Why `auto` did not take native TensorFlow; null where it was not `auto`, or did. */
  readonly nativeFailure: TrainingError | null;
}

/** Makes a backend that is loaded the one that runs; another may have been loaded in between. */
async function activate(tf: Tensorflow, backend: Backend): Promise<LoadedTensorflow> {
  const name = backend === 'native' ? NATIVE_BACKEND : WASM_BACKEND;
  if (tf.getBackend() !== name) await tf.setBackend(name);
  return { tf, backend, nativeFailure: null };
}

/**
 * Loads TensorFlow on the backend of that choice. `options` are for native TensorFlow; WebAssembly has one thread and multiplies
 * in float32.
 *
 * @throws what `loadTensorflow` does; with `auto` not `tensorflow-missing`; TrainingError `wasm-failed`.
 */
export async function loadBackend(
  choice: BackendChoice,
  options: TensorflowOptions,
): Promise<LoadedTensorflow> {
  if (choice === 'wasm') return activate(await loadWasmTensorflow(), 'wasm');
  try {
    return await activate(loadTensorflow(options), 'native');
  } catch (error) {
    const isMissing = error instanceof TrainingError && error.code === 'tensorflow-missing';
    if (choice === 'native' || !isMissing) throw error;
    return { ...(await activate(await loadWasmTensorflow(), 'wasm')), nativeFailure: error };
  }
}
