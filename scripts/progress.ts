import { Presets, SingleBar } from 'cli-progress';
import type { Output } from './output.js';

/** Plain lines of a stage, where no terminal is attached. */
const LINES_A_STAGE = 4;

/** Shows one stage after another: a bar with rate and time left on a terminal, else a few plain lines. */
export interface Progress {
  /** Begins a stage; ends the one before. */
  start(text: string): void;
  /** How much of the stage is done. */
  update(done: number, total: number): void;
  /** Takes the bar off the terminal. */
  stop(): void;
}

function progressBar(unit: string): Progress {
  let bar: SingleBar | null = null;
  let startMs = 0;
  const stop = (): void => {
    bar?.stop();
    bar = null;
  };
  return {
    start: (text) => {
      stop();
      startMs = performance.now();
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
      const rate = (done * 1000) / (performance.now() - startMs);
      bar?.update(done, { rate: rate.toPrecision(3) });
    },
    stop,
  };
}

function progressLines(output: Output, unit: string): Progress {
  let text = '';
  let shown = 0;
  let startMs = 0;
  return {
    start: (stage) => {
      text = stage;
      shown = 0;
      startMs = performance.now();
      output.message(text);
    },
    update: (done, total) => {
      const quarter = Math.floor((done * LINES_A_STAGE) / total);
      if (quarter <= shown) return;
      shown = quarter;
      const seconds = (performance.now() - startMs) / 1000;
      output.message(`${text}: ${done}/${total} ${unit}, ${(done / seconds).toPrecision(3)}/s`);
    },
    stop: () => undefined,
  };
}

/**
 * Progress in this output.
 *
 * @param unit what is counted: games, steps, …
 */
export function createProgress(output: Output, unit: string): Progress {
  return output.interactive ? progressBar(unit) : progressLines(output, unit);
}
