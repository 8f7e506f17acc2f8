import { exists, makeFolder, removeStaleTemporaries } from '../../data/files/atomic-file.js';
import { readCheckpoint, writeCheckpoint } from '../checkpoints/checkpoint-folder.js';
import { calibrateOnCarefulPositions } from '../checkpoints/checkpoint-calibration.js';
import { findHalfLearnt, removeSavedLearner } from '../learning/halfway-folder.js';
import { firstCheckpoint } from '../learning/next-checkpoint.js';
import { expectWholeMetrics } from '../run/lost-records.js';
import { removedGenerations } from '../run/removed-parts.js';
import type { Run } from '../run/run-folder.js';
import { originCheckpoint } from '../run/run-origin.js';
import { listCheckpoints } from '../run/run-paths.js';
import { writeRunEvents } from '../run/tensorboard/run-events.js';
import type { Tensorflow } from '../tensorflow/tensorflow.js';
import { TrainingError } from '../training-error.js';

/** Whether the generation has a checkpoint, or had one that the retention rule removed. */
export async function isLearnt({ paths }: Run, generation: number): Promise<boolean> {
  if (await exists(paths.checkpoint(generation))) return true;
  return (await removedGenerations(paths, 'checkpoint')).has(generation);
}

/** Removes incomplete files of a killed process. */
async function sweep(run: Run): Promise<void> {
  const { paths } = run;
  for (const folder of [paths.folder, paths.checkpoints, paths.allData]) {
    await makeFolder(folder);
    await removeStaleTemporaries(folder);
  }
  const halfLearnt = await findHalfLearnt(paths.learning);
  if (halfLearnt !== null && (await isLearnt(run, halfLearnt.generation))) {
    await removeSavedLearner(paths.learning);
  }
}

async function ensureFirstCheckpoint(run: Run, tf: Tensorflow): Promise<void> {
  const { config, paths, configDigest, origin } = run;
  const folder = paths.checkpoint(0);
  if (await exists(folder)) {
    if ((await readCheckpoint(folder)).configDigest === configDigest) return;
    throw new TrainingError(
      'run-changed',
      `${folder} belongs to a run with another configuration: choose another folder`,
    );
  }
  const first =
    origin === null
      ? { ...firstCheckpoint(config, config.seed), configDigest }
      : await originCheckpoint(origin, config, configDigest);
  const isFloat = config.selfPlay.precision === 'float32';
  const calibration = isFloat ? undefined : await calibrateOnCarefulPositions(tf, first, config.seed);
  await writeCheckpoint(folder, first, calibration);
}

/**
 * Prepares the folder of a run, new or resumed: removes incomplete files, checks the records, and writes generation 0,
 * the untrained network or the checkpoint from which the run starts.
 *
 * @throws TrainingError `run-damaged` for missing or damaged records, `run-changed` if generation 0 belongs to another
 *   run; as `originCheckpoint` does; DataError for files that cannot be read or written.
 */
export async function beginRun(run: Run, tf: Tensorflow): Promise<void> {
  await sweep(run);
  await expectWholeMetrics(run.paths, (await listCheckpoints(run.paths)).at(-1) ?? 0);
  await ensureFirstCheckpoint(run, tf);
  await writeRunEvents(run.paths);
}
