import { createRequire } from 'node:module';
import nodeUtil from 'node:util';
import type * as tfjs from '@tensorflow/tfjs';
import { TrainingError } from '../training-error.js';

/**
 * TensorFlow.js with a backend active: the module `@tensorflow/tfjs-node` with the native one, `@tensorflow/tfjs` with
 * WebAssembly.
 */
export type Tensorflow = typeof tfjs;

/** How TensorFlow runs in this process; fixed by the first load. */
export interface TensorflowOptions {
  /** Threads that one operation is split over, >= 1. Results depend on it in their last bits. */
  readonly threads: number;
  /**
   * What convolutions and matrix products multiply: float32, the default, or numbers rounded to bfloat16 where the processor has
   * instructions for it (AMX); sums, weights and all else stay float32.
   *
   * @see https://oneapi-src.github.io/oneDNN/dev_guide_attributes_fpmath_mode.html
   */
  readonly precision?: Precision;
}

/** See `TensorflowOptions.precision`. */
export type Precision = 'float32' | 'bfloat16';

/** What TensorFlow.js calls its native backend. */
export const NATIVE_BACKEND = 'tensorflow';

/** What TensorFlow.js calls its WebAssembly backend. */
export const WASM_BACKEND = 'wasm';

/** What a person types to make native TensorFlow work. */
export const SETUP_COMMAND = 'npx gess setup';

/** What `@tensorflow/tfjs-node` 4.22 calls of `node:util` that Node 22 warns of and Node 23 no longer has. */
const OLD_UTIL_FUNCTIONS: Readonly<Record<string, (value: unknown) => boolean>> = {
  isArray: Array.isArray,
  isNullOrUndefined: (value) => value === null || value === undefined,
};

let loaded:
  { readonly tensorflow: Tensorflow; readonly threads: number; readonly precision: Precision } | undefined;

function restoreUtilFunctions(): void {
  Object.assign(nodeUtil, OLD_UTIL_FUNCTIONS);
}

function requireTensorflow(): Tensorflow {
  try {
    return createRequire(import.meta.url)('@tensorflow/tfjs-node') as Tensorflow;
  } catch (cause) {
    const [reason] = cause instanceof Error ? cause.message.split('\n') : [String(cause)];
    throw new TrainingError(
      'tensorflow-missing',
      `expected native TensorFlow: \`${SETUP_COMMAND}\` installs it (found: ${(reason ?? '').replace(/\.?\s*$/, '')})`,
      { cause },
    );
  }
}

/**
 * Loads native TensorFlow: the only place that does (`backend.ts` chooses between it and WebAssembly). Takes about a second
 * the first time; later calls return the same module. Not for worker threads, where its binding crashes: use processes.
 *
 * @throws TrainingError `tensorflow-missing` when it is not set up on this machine, with the command that
 * mends it; `tensorflow-threads`, `tensorflow-precision` when this process already runs it with another number of
 * threads or another precision.
 */
export function loadTensorflow({ threads, precision = 'float32' }: TensorflowOptions): Tensorflow {
  if (loaded === undefined) {
    // TensorFlow reads all of these once, when its library is loaded and its first context made.
    process.env['TF_CPP_MIN_LOG_LEVEL'] ??= '2';
    process.env['TF_NUM_INTRAOP_THREADS'] = String(threads);
    // The binding runs one operation at a time, so threads between operations have nothing to do.
    process.env['TF_NUM_INTEROP_THREADS'] = '1';
    // Set in either case: what the user's shell says would change the weights.
    process.env['TF_SET_ONEDNN_FPMATH_MODE'] = precision === 'bfloat16' ? 'BF16' : 'STRICT';
    restoreUtilFunctions();
    loaded = { tensorflow: requireTensorflow(), threads, precision };
  }
  if (loaded.threads !== threads) {
    throw new TrainingError(
      'tensorflow-threads',
      `expected one number of TensorFlow threads a process, got ${threads} after ${loaded.threads}`,
    );
  }
  if (loaded.precision !== precision) {
    throw new TrainingError(
      'tensorflow-precision',
      `expected one precision of TensorFlow a process, got ${precision} after ${loaded.precision}`,
    );
  }
  return loaded.tensorflow;
}
