import { basename, dirname } from 'node:path';
import { type Verification, type VerificationOptions, verifyFiles } from '../data/verification.js';
import { CHECKPOINT_KIND, readCheckpoint } from './checkpoint.js';
import { TrainingError } from './errors.js';
import { checkExportedFile, checkSpec } from './export-verification.js';
import { EXPORTED_FILES, SPEC_FILE } from './export.js';
import { missingGates, readGates } from './gating.js';
import { ACCURACY_FILE } from './matches/run-accuracy.js';
import { hasSealedRecords, readRecords } from './record-file.js';
import { lostParts } from './retention.js';
import { listCheckpoints, readRunFile, runPaths } from './run-folder.js';
import { checkRunEvents, EVENTS_FILE } from './tensorboard/run-events.js';

const paths = runPaths('');
const REMOVALS = basename(paths.removals);

/** Matches for a place in self-play that are missing, of all generations before the newest. */
async function lostGates(folder: string): Promise<readonly string[]> {
  const run = runPaths(folder);
  // The newest may still have to play.
  const newest = ((await listCheckpoints(run)).at(-1) ?? 0) - 1;
  const missing = missingGates(await readGates(run), newest);
  return missing.map((generation) => `generation ${generation} has no line in ${basename(run.gates)}`);
}

async function checkRunFile(path: string): Promise<boolean> {
  const folder = dirname(path);
  const file = await readRunFile(folder);
  // Records that cannot be read are told where they lie.
  const lost: string[] = [...(await lostParts(runPaths(folder)).catch(() => []))];
  if (file !== null && file.config.gate.games > 0) lost.push(...(await lostGates(folder).catch(() => [])));
  if (lost.length > 0) {
    throw new TrainingError('run-damaged', `${folder}: ${lost.join(', ')}, and ${REMOVALS} does not say why`);
  }
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
  return verifyFiles(path, { ...options, checks: CHECKS, kinds: KINDS });
}
