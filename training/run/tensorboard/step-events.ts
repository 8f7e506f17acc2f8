import { dirname, join } from 'node:path';
import { makeFolder } from '../../../data/files/atomic-file.js';
import { writeGrowingFile } from '../../../data/files/growing-file.js';
import { type RunPaths, runPaths } from '../run-paths.js';
import { readRecords } from '../run-record-file.js';
import type { StepsRecord } from '../run-records.js';
import { encodeEventFile, type ScalarEvent } from './event-file.js';
import { checkEventFile } from './event-check.js';

/** The file of `tensorboard/steps/`, whose horizontal axis counts steps of the optimiser instead of generations. */
export const STEP_EVENTS_FILE = 'events.out.tfevents.0.gess-zero-steps';

/** The events of a run's learning, one for each point. */
function eventsOfSteps(records: readonly StepsRecord[]): readonly ScalarEvent[] {
  return records.flatMap(({ points }) =>
    points.map(({ step, time, losses, learningRate, samplesPerSecond }) => {
      const numbers = { ...losses, learningRate, samplesPerSecond };
      const known = Object.entries(numbers).filter(([, value]) => value !== null && Number.isFinite(value));
      const scalars = new Map(known.map(([name, value]) => [`steps/${name}`, value!]));
      return { step, seconds: time, scalars };
    }),
  );
}

async function contentFor(paths: RunPaths): Promise<Uint8Array> {
  return encodeEventFile(eventsOfSteps(await readRecords(paths, 'steps')));
}

/**
 * Updates `tensorboard/steps/` to `steps.jsonl`, without duplicates or gaps, even after a crash.
 *
 * @throws TrainingError `run-damaged` for records; DataError `disk-full`, `write-failed`.
 */
export async function writeStepEvents(paths: RunPaths): Promise<void> {
  const folder = join(paths.tensorboard, 'steps');
  const content = await contentFor(paths);
  await makeFolder(folder);
  await writeGrowingFile(join(folder, STEP_EVENTS_FILE), content);
}

/**
 * Compares the file of `writeStepEvents`, which may lack the newest events, with the run's records.
 *
 * @returns false if the records cannot be read.
 * @throws TrainingError `run-damaged`; DataError `file-unreadable`.
 */
export async function checkStepEvents(path: string): Promise<boolean> {
  return checkEventFile(path, () => contentFor(runPaths(dirname(dirname(dirname(path))))));
}
