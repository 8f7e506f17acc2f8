import { multipliesInBfloat16 } from '../training/bfloat16-probe.js';
import type { LearnerConfig } from '../training/config.js';
import { loadTensorflow, type Tensorflow } from '../training/tensorflow.js';
import type { Output } from './output.js';

/** Loads TensorFlow as the learner is to run it, and says where the processor can't. Throws what `loadTensorflow` does. */
export function loadForLearner(
  output: Output,
  { threads, precision }: Pick<LearnerConfig, 'threads' | 'precision'>,
): Tensorflow {
  const tensorflow = loadTensorflow({ threads, precision });
  if (precision === 'bfloat16') {
    output.message(
      multipliesInBfloat16(tensorflow)
        ? 'gess: TensorFlow multiplies in bfloat16'
        : 'gess: bfloat16 was asked for, but on this processor TensorFlow multiplies in float32 all the same (it takes AMX), no faster than without',
    );
  }
  return tensorflow;
}
