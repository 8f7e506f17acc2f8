import { loadBackend, type BackendChoice, type LoadedTensorflow } from '../training/tensorflow/backend.js';
import { multipliesInBfloat16 } from '../training/tensorflow/bfloat16-probe.js';
import type { LearnerConfig } from '../training/config/learner-config.js';
import type { Output } from './output.js';

/** How many times as fast native TensorFlow learns on two cores as WebAssembly: docs/training.md, "Without native TensorFlow". */
const NATIVE_TO_WASM = 10;

/** What is to be loaded. */
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
  const need = backend === 'wasm' ? '' : ' (it takes AMX)';
  return `bfloat16 was asked for, but ${reason} TensorFlow multiplies in float32 all the same${need}, no faster than without`;
}

/**
 * Loads TensorFlow as the learner is to run it; says where that is not native TensorFlow, and why, and where the processor can't
 * do what was asked for. Throws what `loadBackend` does.
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
