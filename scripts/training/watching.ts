import { setTimeout as wait } from 'node:timers/promises';
import { CodedError } from '../../env/errors.js';
import type { Output } from '../output.js';
import { LINE_MS } from '../progress/progress.js';
import { type RunMoment, RunReader } from './run-reader.js';
import { watchLine } from './watch-text.js';
import { WatchScreen } from './watch-screen.js';

/** Time between two looks at the run. */
const LOOK_MS = 1000;

/** The run now; the previous moment if it cannot be read because a process is writing to its folder. */
async function look(reader: RunReader, before: RunMoment | null): Promise<RunMoment> {
  try {
    return await reader.read();
  } catch (error) {
    if (before === null || !(error instanceof CodedError)) throw error;
    return before;
  }
}

async function rest(signal: AbortSignal, ms: number): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}

/**
 * Shows a run on the whole screen of the terminal, whatever happens to it, until `controller` is aborted, which the key
 * `q` does, too.
 *
 * @throws TrainingError, DataError as `RunReader.read` for the first look.
 */
export async function watchOnScreen(folder: string, controller: AbortController): Promise<void> {
  const reader = new RunReader(folder);
  let moment = await reader.read();
  const screen = new WatchScreen(
    () => moment,
    () => {
      controller.abort();
    },
  );
  screen.open();
  try {
    await rest(controller.signal, LOOK_MS);
    while (!controller.signal.aborted) {
      moment = await look(reader, moment);
      screen.draw();
      await rest(controller.signal, LOOK_MS);
    }
  } finally {
    screen.close();
  }
}

/** The parts of a moment whose change is worth a line. */
function eventOf({ status, live, metrics, evaluations }: RunMoment): string {
  const stage = status === 'running' ? live?.stage : undefined;
  return JSON.stringify([status, stage?.name, stage?.generation, metrics.length, evaluations.length]);
}

/**
 * Prints a line at each change of a run, and one a minute, until it is finished or `signal`.
 *
 * @throws TrainingError, DataError as `RunReader.read` for the first look.
 */
export async function watchInLines(output: Output, folder: string, signal: AbortSignal): Promise<void> {
  const reader = new RunReader(folder);
  let moment: RunMoment | null = null;
  let [event, printedMs] = ['', 0];
  while (!signal.aborted) {
    moment = await look(reader, moment);
    const next = eventOf(moment);
    if (next !== event || performance.now() - printedMs >= LINE_MS) {
      output.result(watchLine(moment, Date.now() / 1000));
      [event, printedMs] = [next, performance.now()];
    }
    if (moment.status === 'finished') return;
    await rest(signal, LOOK_MS);
  }
}
