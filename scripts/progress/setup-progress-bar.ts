import { Presets, SingleBar } from 'cli-progress';
import type { SetupObserver, SetupStep } from '../../training/tensorflow/native/setup-progress.js';
import type { Output } from '../output.js';

const STEP_TEXTS: Readonly<Record<SetupStep, string>> = {
  wait: 'waiting for another set-up that runs',
  download: 'downloading TensorFlow',
  unpack: 'unpacking TensorFlow',
  compile: 'compiling its binding',
  check: 'trying it',
};

/** Plain progress lines a step, where no terminal is attached. */
const LINES_A_STEP = 4;

/** Shows what a set-up does; `stop` takes the bar off the terminal. */
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

/** A bar on a terminal, else plain lines. */
export function setupProgress(output: Output): SetupProgress {
  return output.interactive ? progressBar() : progressLines(output);
}
