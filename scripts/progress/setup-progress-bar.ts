import type { SetupObserver, SetupStep } from '../../training/tensorflow/native/setup-progress.js';
import type { Output } from '../output.js';
import { createProgress } from './progress.js';

const STEP_TEXTS: Readonly<Record<SetupStep, string>> = {
  wait: 'waiting for another set-up',
  download: 'downloading TensorFlow',
  unpack: 'unpacking TensorFlow',
  compile: 'compiling its binding',
  check: 'testing it',
};

/** Shows the steps of a set-up; `stop` ends them. */
export interface SetupProgress {
  readonly observe: SetupObserver;
  stop(): void;
}

/** Shows each step with its percentage. */
export function setupProgress(output: Output): SetupProgress {
  const progress = createProgress(output, '%');
  let current: SetupStep | undefined;
  return {
    observe: (step, fraction) => {
      if (step !== current) progress.start(`gess: ${STEP_TEXTS[step]}`);
      current = step;
      if (fraction !== null) progress.update(Math.floor(100 * fraction), 100);
    },
    stop: () => {
      progress.stop();
    },
  };
}
