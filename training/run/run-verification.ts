import { basename, dirname, join } from 'node:path';
import { checkDatasetCard, DATASET_KIND } from '../../data/datasets/dataset-card-file.js';
import { exists } from '../../data/files/atomic-file.js';
import { checkParquetManifest, PARQUET_KIND } from '../../data/parquet-manifest.js';
import {
  type FileProblem,
  type Verification,
  type VerificationOptions,
  verifyFiles,
} from '../../data/verification.js';
import { countOf } from '../../env/text/count-of.js';
import { CHECKPOINT_KIND } from '../checkpoints/checkpoint-files.js';
import { readCheckpoint } from '../checkpoints/checkpoint-folder.js';
import { checkExportedFile, checkSpec } from '../export/export-verification.js';
import { EXPORT_FILES, LISTED_FILES } from '../export/export-files.js';
import { checkPatternNetwork, PATTERN_KIND } from '../inference/pattern-file.js';
import { LEARNER_KIND, readSavedLearner } from '../learning/halfway-folder.js';
import { checkLadder, LADDER_FILE } from '../matches/ladder/ladder-folder.js';
import { checkOfMatchFile } from '../matches/match-folder.js';
import { lostParts } from './lost-parts.js';
import type { LostPart } from './lost-records.js';
import type { RunFile } from './run-file.js';
import { readRunFile } from './run-folder.js';
import { TrainingError } from '../training-error.js';
import { isRunFolder, listCheckpoints, missingRunFile, type RunPaths, runPaths } from './run-paths.js';
import { missingGenerations, readSoundRecords, RECORD_KINDS, type RecordKind } from './run-record-file.js';
import { readLiveState } from './live/live-file.js';
import { checkReport, REPORT_FILE } from './live/report-file.js';
import { checkRunEvents, EVENTS_FILE } from './tensorboard/run-events.js';
import { checkStepEvents, STEP_EVENTS_FILE } from './tensorboard/step-events.js';

/** Paths of any run, used for the names of its files only. */
const PATHS = runPaths('');

/** Missing gate matches of all generations before the newest. */
async function lostGates(run: RunPaths, file: RunFile | null, newest: number): Promise<readonly LostPart[]> {
  const gates = await readSoundRecords(run, 'gates');
  const isPlayed = file === null ? gates.length > 0 : file.config.gate.games > 0;
  if (!isPlayed) return [];
  // The newest generation may not have played yet.
  return missingGenerations(gates, newest - 1).map((generation) => ({
    path: run.gates,
    message: `generation ${generation} has no line in ${run.gates}`,
  }));
}

/** The event file if it is missing; a run has one from its first generation on. */
async function lostEvents(
  run: RunPaths,
  _file: RunFile | null,
  newest: number,
): Promise<readonly LostPart[]> {
  const path = join(run.tensorboard, EVENTS_FILE);
  if (newest === 0 || (await exists(path))) return [];
  const message = `expected the events of the run's records in ${path}: resuming the run restores it`;
  return [{ path, message }];
}

/** The file of matches if it is missing and the run plays matches; generation 0 plays before anything is learnt. */
async function lostMatches(
  run: RunPaths,
  file: RunFile | null,
  newest: number,
): Promise<readonly LostPart[]> {
  if (file === null) return [];
  const { every, opponents, timeShare } = file.config.evaluation;
  if (timeShare < 1) return [];
  if (every === 0 || opponents.length === 0 || newest === 0 || (await exists(run.evaluations))) return [];
  const path = run.evaluations;
  return [{ path, message: `expected the run's matches in ${path}: resuming the run plays them again` }];
}

/** Missing parts of a run's folder; none for other folders. */
async function missingInRun(folder: string): Promise<readonly FileProblem[]> {
  const run = runPaths(folder);
  const checkpoints = await listCheckpoints(run);
  if (!(await isRunFolder(run))) return [];
  const lost: LostPart[] = [];
  if (!(await exists(run.runFile))) lost.push({ path: run.runFile, message: missingRunFile(run) });
  // Unreadable files are reported when they are checked themselves.
  lost.push(...(await lostParts(run, readSoundRecords)));
  const file = await readRunFile(folder).catch(() => null);
  const newest = checkpoints.at(-1) ?? 0;
  for (const findLost of [lostMatches, lostEvents, lostGates]) {
    lost.push(...(await findLost(run, file, newest)));
  }
  return lost.map((loss) => ({ ...loss, code: 'run-damaged' }));
}

async function checkRunFile(path: string): Promise<boolean> {
  return (await readRunFile(dirname(path))) !== null;
}

/** Checks the form of `live.json`, which has no checksum. */
async function checkLive(path: string): Promise<boolean> {
  return (await readLiveState(path)) !== null;
}

/** Most problems of lines that the message about a file has. */
const MAX_LINE_PROBLEMS = 10;

async function checkRecords(path: string, kind: RecordKind): Promise<boolean> {
  const errors: Error[] = [];
  await readSoundRecords(runPaths(dirname(path)), kind, (error) => errors.push(error));
  const [first] = errors;
  if (first === undefined) return true;
  if (errors.length === 1) throw first;
  const messages = errors.slice(0, MAX_LINE_PROBLEMS).map(({ message }) => message);
  const more = errors.length - messages.length;
  if (more > 0) messages.push(`and ${countOf(more, 'more problem')}`);
  throw new TrainingError('run-damaged', messages.join('; '));
}

const CHECKS = new Map([
  [basename(PATHS.runFile), checkRunFile],
  ...RECORD_KINDS.map((kind) => [basename(PATHS[kind]), (path: string) => checkRecords(path, kind)] as const),
  [EVENTS_FILE, checkRunEvents],
  [STEP_EVENTS_FILE, checkStepEvents],
  [basename(PATHS.live), checkLive],
  [REPORT_FILE, checkReport],
  [EXPORT_FILES.spec, checkSpec],
  [LADDER_FILE, checkLadder],
  // Files of checkpoints need no entry, since manifests list them.
  ...LISTED_FILES.map((name) => [name, checkExportedFile] as const),
]);

function checkOf(name: string): ((path: string) => Promise<boolean>) | undefined {
  return CHECKS.get(name) ?? checkOfMatchFile(name);
}

const KINDS = new Map<string, (path: string) => Promise<unknown>>([
  [DATASET_KIND, checkDatasetCard],
  [PARQUET_KIND, checkParquetManifest],
  [PATTERN_KIND, checkPatternNetwork],
  [
    LEARNER_KIND,
    async (path) => {
      await readSavedLearner(dirname(path));
    },
  ],
  [
    CHECKPOINT_KIND,
    async (path) => {
      const { game } = await readCheckpoint(dirname(path));
      return game.id;
    },
  ],
]);

/**
 * Verifies every file of a run, a dataset, a checkpoint or any folder of these (data/verification.ts).
 *
 * @throws DataError `file-missing`, `file-unreadable` for `path` itself.
 */
export async function verify(
  path: string,
  options: Pick<VerificationOptions, 'deep' | 'onFile' | 'onGame'>,
): Promise<Verification> {
  return verifyFiles(path, { ...options, checkOf, kinds: KINDS, missingIn: missingInRun });
}
