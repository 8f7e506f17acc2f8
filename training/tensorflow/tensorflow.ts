import { createRequire } from 'node:module';
import nodeUtil from 'node:util';
import { TrainingError } from '../training-error.js';
import { expectTrustedBinding, installedPackage } from './native/binding.js';
import { registerNativeOperations } from './operations/backend-operations.js';
import { RawOperations } from './operations/raw-operations.js';
import type { Tensorflow } from './tensorflow-module.js';
import { errorText } from '../../env/text/error-text.js';

export type { Tensorflow };

/** Settings of TensorFlow in this process, which the first load fixes. */
export interface TensorflowOptions {
  /** Threads per operation, at least 1. The last bits of results depend on it. */
  readonly threads: number;
  /**
   * Precision of the factors in convolutions and matrix products: float32, the default, or bfloat16 on processors with
   * instructions for it (AMX); sums, weights and everything else stay float32.
   *
   * @see https://oneapi-src.github.io/oneDNN/dev_guide_attributes_fpmath_mode.html
   */
  readonly precision?: Precision;
}

/** See `TensorflowOptions.precision`. */
export type Precision = 'float32' | 'bfloat16';

/** The command that sets up native TensorFlow. */
export const SETUP_COMMAND = 'npx gess setup';

/**
 * Functions of `node:util` that `@tensorflow/tfjs-node` 4.22 calls; Node 22 warns about them and Node 23 lacks them.
 */
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
    expectTrustedBinding(installedPackage());
    return createRequire(import.meta.url)('@tensorflow/tfjs-node') as Tensorflow;
  } catch (cause) {
    if (cause instanceof TrainingError) throw cause;
    const [reason] = errorText(cause).split('\n', 1);
    throw new TrainingError(
      'tensorflow-missing',
      `expected native TensorFlow: \`${SETUP_COMMAND}\` installs it (found: ${(reason ?? '').replace(/\.?\s*$/, '')})`,
      { cause },
    );
  }
}

/**
 * Loads native TensorFlow. No other module loads it (`backend.ts` chooses between it and WebAssembly). The first call
 * takes about a second; later calls return the same module. The binding crashes in worker threads: use processes.
 *
 * @throws TrainingError `tensorflow-missing` if it is not set up on this machine, with the command that sets it up;
 *   `cache-untrusted` if other users can change its files; `tensorflow-threads`, `tensorflow-precision` if this process
 *   already runs it with another number of threads or another precision.
 */
export function loadTensorflow({ threads, precision = 'float32' }: TensorflowOptions): Tensorflow {
  if (loaded === undefined) {
    // TensorFlow reads these variables once, when it loads its library and creates its first context.
    process.env['TF_CPP_MIN_LOG_LEVEL'] ??= '2';
    process.env['TF_NUM_INTRAOP_THREADS'] = String(threads);
    // The binding runs one operation at a time, so threads for concurrent operations would be idle.
    process.env['TF_NUM_INTEROP_THREADS'] = '1';
    // These two are always set, because a value from the user's shell would change the weights. Without the first,
    // TensorFlow uses oneDNN only on processors with AVX-512 VNNI or AMX, though its kernels are twice as fast on AVX2.
    process.env['TF_ENABLE_ONEDNN_OPTS'] = '1';
    process.env['TF_SET_ONEDNN_FPMATH_MODE'] = precision === 'bfloat16' ? 'BF16' : 'STRICT';
    restoreUtilFunctions();
    loaded = { tensorflow: requireTensorflow(), threads, precision };
    registerNativeOperations((tf) => new RawOperations(tf));
  }
  if (loaded.threads !== threads) {
    throw new TrainingError(
      'tensorflow-threads',
      `expected one number of TensorFlow threads per process, got ${threads} after ${loaded.threads}`,
    );
  }
  if (loaded.precision !== precision) {
    throw new TrainingError(
      'tensorflow-precision',
      `expected one TensorFlow precision per process, got ${precision} after ${loaded.precision}`,
    );
  }
  return loaded.tensorflow;
}
