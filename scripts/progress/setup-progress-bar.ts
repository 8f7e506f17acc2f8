import { Presets, SingleBar } from 'cli-progress';
import type { SetupObserver, SetupStep } from '../../training/tensorflow/native/setup-progress.js';
import type { Output } from '../output.js';

const STEP_TEXTS: Readonly<Record<SetupStep, string>> = {
  wait: 'waiting for another set-up',
  download: 'downloading TensorFlow',
  unpack: 'unpacking TensorFlow',
  compile: 'compiling its binding',
  check: 'testing it',
};

/** Progress lines of a step if stderr is no terminal. */
const LINES_A_STEP = 4;

/** Shows the steps of a set-up; `stop` removes the bar from the terminal. */
export interface SetupProgress {
  readonly observe: SetupObserver;
  stop(): void;
}

function progressBar(): SetupProgress {
  const bar = new SingleBar(
    { format: 'gess: {text} {bar} {percentage} %', clearOnComplete: true, hideCursor: true },
    Presets.shades_classic,
  );
  bar.start(1, 0, { text: '' });
  return {
    observe: (step, fraction) => {
      bar.update(fraction ?? 0, { text: STEP_TEXTS[step] });
    },
    stop: () => {
      bar.stop();
    },
  };
}

function progressLines(output: Output): SetupProgress {
  let last = '';
  return {
    observe: (step, fraction) => {
      const share = Math.floor((fraction ?? 0) * LINES_A_STEP) / LINES_A_STEP;
      const line = `gess: ${STEP_TEXTS[step]}${share === 0 ? '' : ` ${share * 100} %`}`;
      if (line !== last) output.message(line);
      last = line;
    },
    stop: () => undefined,
  };
}

/** Shows a bar on a terminal, else lines. */
export function setupProgress(output: Output): SetupProgress {
  return output.interactive ? progressBar() : progressLines(output);
}
