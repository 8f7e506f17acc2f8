import { loadBackend, type BackendChoice, type LoadedTensorflow } from '../../training/tensorflow/backend.js';
import { multipliesInBfloat16 } from '../../training/tensorflow/bfloat16-probe.js';
import type { LearnerConfig } from '../../training/config/groups/learner-config.js';
import type { Output } from '../output.js';

/** Speed of native TensorFlow on two cores relative to WebAssembly: docs/how-to/without-tensorflow.md. */
const NATIVE_TO_WASM = 10;

/** The settings with which TensorFlow is loaded. */
export interface LearnerTensorflow {
  readonly learner: Pick<LearnerConfig, 'threads' | 'precision'>;
  readonly backend: BackendChoice;
}

function describeWasm({ nativeFailure }: LoadedTensorflow): string {
  const slower = `which learns about ${NATIVE_TO_WASM} times slower`;
  return nativeFailure === null
    ? `TensorFlow runs on WebAssembly, ${slower} than its native library`
    : `${nativeFailure.message}; TensorFlow runs on WebAssembly instead, ${slower}`;
}

function describeBfloat16({ tf, backend }: LoadedTensorflow): string {
  if (multipliesInBfloat16(tf)) return 'TensorFlow multiplies in bfloat16';
  const reason = backend === 'wasm' ? 'on WebAssembly' : 'on this processor';
  const need = backend === 'wasm' ? '' : ' (bfloat16 needs AMX)';
  return `expected bfloat16, but ${reason} TensorFlow multiplies in float32${need}, no faster than with precision float32`;
}

/**
 * Loads TensorFlow for the learner. Prints a message if it runs on WebAssembly, with the reason, and if the processor
 * lacks bfloat16 instructions.
 *
 * @throws TrainingError, PackageError as `loadBackend`.
 */
export async function loadForLearner(
  output: Output,
  { learner, backend }: LearnerTensorflow,
): Promise<LoadedTensorflow> {
  const { threads, precision } = learner;
  const loaded = await loadBackend(backend, { threads, precision });
  if (loaded.backend === 'wasm') output.message(`gess: ${describeWasm(loaded)}`);
  if (precision === 'bfloat16') output.message(`gess: ${describeBfloat16(loaded)}`);
  return loaded;
}
