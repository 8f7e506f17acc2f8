import { TrainingError } from '../training-error.js';
import { NATIVE_BACKEND, WASM_BACKEND } from './backend-names.js';
import { loadTensorflow, type Tensorflow, type TensorflowOptions } from './tensorflow.js';
import { loadWasmTensorflow } from './wasm/loading.js';

/**
 * TensorFlow's backends: the native library with any number of threads, or WebAssembly with one thread on any platform.
 */
export const BACKENDS = ['native', 'wasm'] as const;

/** See `BACKENDS`. */
export type Backend = (typeof BACKENDS)[number];

/** The requested backend; `auto` is native TensorFlow if it is set up, else WebAssembly. */
export type BackendChoice = Backend | 'auto';

/** The active backend of this process. */
export function runningBackend(tf: Tensorflow): Backend {
  return tf.getBackend() === NATIVE_BACKEND ? 'native' : 'wasm';
}

/** TensorFlow and its backend. */
export interface LoadedTensorflow {
  readonly tf: Tensorflow;
  readonly backend: Backend;
  /** Reason why `auto` did not choose native TensorFlow; null otherwise. */
  readonly nativeFailure: TrainingError | null;
}

/** Activates a loaded backend; another may have been loaded in the meantime. */
async function activate(tf: Tensorflow, backend: Backend): Promise<LoadedTensorflow> {
  const name = backend === 'native' ? NATIVE_BACKEND : WASM_BACKEND;
  if (tf.getBackend() !== name) await tf.setBackend(name);
  return { tf, backend, nativeFailure: null };
}

/**
 * Loads TensorFlow on the chosen backend.
 *
 * @param options of native TensorFlow; WebAssembly has one thread and multiplies in float32.
 * @throws the errors of `loadTensorflow`, except `tensorflow-missing` with `auto`; TrainingError `wasm-failed`.
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
