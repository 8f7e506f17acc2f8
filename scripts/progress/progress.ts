import { Presets, SingleBar } from 'cli-progress';
import type { Output } from '../output.js';
import { formatDuration } from './duration.js';

/** Progress lines of a stage if stderr is no terminal. */
const LINES_A_STAGE = 4;

/** Shows one stage after another: on a terminal a bar with rate and remaining time, else a few lines. */
export interface Progress {
  /** Ends the previous stage and begins a new one. */
  start(text: string): void;
  /** Updates the progress of the stage. */
  update(done: number, total: number): void;
  /** Removes the bar from the terminal. */
  stop(): void;
}

/** Returns a function that measures the rate per second since its first call; work done before that does not count. */
function createRate(): (done: number) => number | null {
  let first: { readonly done: number; readonly ms: number } | null = null;
  return (done) => {
    const ms = performance.now();
    first ??= { done, ms };
    return done > first.done ? ((done - first.done) * 1000) / (ms - first.ms) : null;
  };
}

function formatRate(perSecond: number | null): string {
  return perSecond === null ? '-' : perSecond.toPrecision(3);
}

function progressBar(unit: string): Progress {
  let bar: SingleBar | null = null;
  let rate = createRate();
  const stop = (): void => {
    bar?.stop();
    bar = null;
  };
  return {
    start: (text) => {
      stop();
      rate = createRate();
      bar = new SingleBar(
        {
          format: `${text} {bar} {value}/{total} ${unit}  {rate}/s  {eta_formatted} left`,
          clearOnComplete: true,
          hideCursor: true,
        },
        Presets.shades_classic,
      );
      bar.start(1, 0, { rate: '-' });
    },
    update: (done, total) => {
      bar?.setTotal(total);
      bar?.update(done, { rate: formatRate(rate(done)) });
    },
    stop,
  };
}

function progressLines(output: Output, unit: string): Progress {
  let text = '';
  let shown = 0;
  let rate = createRate();
  return {
    start: (stage) => {
      text = stage;
      shown = 0;
      rate = createRate();
      output.message(text);
    },
    update: (done, total) => {
      const perSecond = rate(done);
      const quarter = Math.floor((done * LINES_A_STAGE) / total);
      if (quarter <= shown) return;
      shown = quarter;
      const left = perSecond === null ? '' : `, ${formatDuration((total - done) / perSecond)} left`;
      output.message(`${text}: ${done}/${total} ${unit}, ${formatRate(perSecond)}/s${left}`);
    },
    stop: () => undefined,
  };
}

/**
 * Shows progress in this output.
 *
 * @param unit the counted things: games, steps, …
 */
export function createProgress(output: Output, unit: string): Progress {
  return output.interactive ? progressBar(unit) : progressLines(output, unit);
}
