import { basename, dirname, join } from 'node:path';
import { exists } from '../../data/files/atomic-file.js';
import {
  type FileProblem,
  type Verification,
  type VerificationOptions,
  verifyFiles,
} from '../../data/verification.js';
import { CHECKPOINT_KIND } from '../checkpoints/checkpoint-files.js';
import { readCheckpoint } from '../checkpoints/checkpoint-folder.js';
import { TrainingError } from '../training-error.js';
import { checkExportedFile, checkSpec } from '../export/export-verification.js';
import { EXPORTED_FILES, SPEC_FILE } from '../export/model-export.js';
import { readGates } from '../stages/gating.js';
import type { Loss } from './learnt-shards.js';
import { LEARNER_KIND, readSavedLearner } from '../learning/halfway-folder.js';
import { ACCURACY_FILE } from './run-accuracy.js';
import { hasSealedRecords, missingGenerations, readRecords } from './run-record-file.js';
import { lostParts } from './retention.js';
import type { RunFile } from './run-file.js';
import { listCheckpoints, listData, readRunFile, type RunPaths, runPaths } from './run-folder.js';
import { checkRunEvents, EVENTS_FILE } from './tensorboard/run-events.js';

const paths = runPaths('');
const REMOVALS = basename(paths.removals);

const MADE_AGAIN = 'resuming the run makes it again';

/** Matches for a place in self-play that are missing, of all generations before the newest. */
async function lostGates(run: RunPaths, { config }: RunFile, newest: number): Promise<readonly Loss[]> {
  if (config.gate.games === 0) return [];
  // The newest may still have to play.
  return missingGenerations(await readGates(run), newest - 1).map((generation) => ({
    path: run.gates,
    message: `generation ${generation} has no line in ${run.gates}`,
  }));
}

/** The event file, which a run has from its first generation on; those of earlier versions need not. */
async function lostEvents(run: RunPaths, { runVersion }: RunFile, newest: number): Promise<readonly Loss[]> {
  const path = join(run.tensorboard, EVENTS_FILE);
  if (runVersion <= 2 || newest === 0 || (await exists(path))) return [];
  return [{ path, message: `expected the events of the run's records in ${path}: ${MADE_AGAIN}` }];
}

/** The matches of a run that plays some: those of generation 0 are played before anything is learnt. */
async function lostMatches(run: RunPaths, { config }: RunFile, newest: number): Promise<readonly Loss[]> {
  const { every, opponents } = config.evaluation;
  if (every === 0 || opponents.length === 0 || newest === 0 || (await exists(run.evaluations))) return [];
  const path = run.evaluations;
  return [{ path, message: `expected the run's matches in ${path}: resuming the run plays them again` }];
}

/** What is missing in a folder that is a run's; nothing in other folders. */
async function missingInRun(folder: string): Promise<readonly FileProblem[]> {
  const run = runPaths(folder);
  const checkpoints = await listCheckpoints(run);
  const hasParts = checkpoints.length + (await listData(run)).length > 0;
  const hasFile = await exists(run.runFile);
  if (!hasParts && !hasFile && !(await exists(run.metrics))) return [];
  const lost: Loss[] = [];
  if (!hasFile) {
    const message = `expected what the run is in ${run.runFile}: beside it are its checkpoints, games or records`;
    lost.push({ path: run.runFile, message });
  }
  // What cannot be read is told where it lies.
  lost.push(...(await lostParts(run).catch(() => [])));
  const file = await readRunFile(folder).catch(() => null);
  const newest = checkpoints.at(-1) ?? 0;
  for (const findLost of [lostMatches, lostEvents, lostGates]) {
    if (file !== null) lost.push(...(await findLost(run, file, newest).catch(() => [])));
  }
  return lost.map((loss) => ({ ...loss, code: 'run-damaged' }));
}

async function checkRunFile(path: string): Promise<boolean> {
  const file = await readRunFile(dirname(path));
  return file !== null && file.runVersion > 1;
}

/** Records of a run of version 2 or later have checksums, all of them; those of version 1 may. */
async function checkRecords(path: string): Promise<boolean> {
  await readRecords(path);
  if (await hasSealedRecords(path)) return true;
  // One that is damaged is told where it lies.
  const run = await readRunFile(dirname(path)).catch(() => null);
  if (run === null || run.runVersion === 1) return false;
  throw new TrainingError('run-damaged', `expected records with checksums in ${path}, found some without`);
}

const CHECKS = new Map([
  [basename(paths.runFile), checkRunFile],
  [basename(paths.metrics), checkRecords],
  [basename(paths.evaluations), checkRecords],
  [basename(paths.gates), checkRecords],
  [REMOVALS, checkRecords],
  [EVENTS_FILE, checkRunEvents],
  [ACCURACY_FILE, checkRecords],
  [SPEC_FILE, checkSpec],
  // Those of checkpoints are in a manifest.
  ...EXPORTED_FILES.map((name) => [name, checkExportedFile] as const),
]);
const KINDS = new Map([
  [
    LEARNER_KIND,
    async (path: string): Promise<void> => {
      await readSavedLearner(dirname(path));
    },
  ],
  [
    CHECKPOINT_KIND,
    async (path: string): Promise<void> => {
      await readCheckpoint(dirname(path));
    },
  ],
]);

/**
 * Checks every file of a run, a dataset, a checkpoint or any folder of these (data/verification.ts).
 *
 * @throws what `verifyFiles` throws.
 */
export async function verify(
  path: string,
  options: Pick<VerificationOptions, 'deep' | 'onFile'>,
): Promise<Verification> {
  return verifyFiles(path, { ...options, checks: CHECKS, kinds: KINDS, missingIn: missingInRun });
}
