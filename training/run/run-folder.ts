import { makeFolder } from '../../data/files/atomic-file.js';
import { expectPlaceForOutput } from '../../data/files/output-folder.js';
import { lockFolder, type Lock } from '../../data/files/lock.js';
import { configWithSettings } from '../config/config-settings.js';
import type { RunConfig } from '../config/run-config.js';
import { TrainingError } from '../training-error.js';
import { expectAgents } from './run-agents.js';
import { describeChange, FREE_SETTINGS, isFree, type SettingChange, settingChanges } from './run-changes.js';
import { changedRunFile, newRunFile, readRunFileAt, type RunFile, writeRunFile } from './run-file.js';
import { findOrigin } from './run-origin.js';
import { isRunFolder, listCheckpoints, missingRunFile, type RunPaths, runPaths } from './run-paths.js';

export type { RunPaths } from './run-paths.js';

/** A run that this process owns. */
export interface Run extends Pick<RunFile, 'config' | 'configDigest' | 'origin'> {
  readonly paths: RunPaths;
  readonly lock: Lock;
}

/** Options of `openRun`. */
export interface OpenRunOptions {
  /** The configuration; undefined resumes the run with its own configuration. */
  readonly config: RunConfig | undefined;
  /** Without `config`: assignments `a.b=value` that replace settings of the run. */
  readonly settings?: readonly string[] | undefined;
  /** Whether an existing run is resumed; otherwise it is an error. */
  readonly resume: boolean;
  /** The folder of the checkpoint from which a new run starts; undefined: an untrained network. */
  readonly from?: string | undefined;
  /** Versions to store in `run.json`. */
  readonly versions: Readonly<Record<string, string>>;
}

function changedError(folder: string, changes: readonly SettingChange[]): TrainingError {
  return new TrainingError(
    'run-changed',
    `${folder} was begun with other settings: ${changes.map(describeChange).join('; ')}. ` +
      `A resumed run keeps its settings, except ${FREE_SETTINGS.join(', ')}; for another run choose another --out`,
  );
}

/** The file of the resumed run; `file` itself if nothing changes. */
async function continuedFile(file: RunFile, paths: RunPaths, options: OpenRunOptions): Promise<RunFile> {
  const { settings = [], from } = options;
  const wanted = options.config ?? configWithSettings(file.config, settings) ?? file.config;
  if (from !== undefined && file.origin?.sha256 !== (await findOrigin(from, wanted)).sha256) {
    throw new TrainingError(
      'run-changed',
      `${paths.folder} was not begun from ${from}: leave out --from, or choose another --out`,
    );
  }
  const changes = settingChanges(file.config, wanted);
  const fixed = changes.filter((change) => !isFree(change));
  if (fixed.length > 0) throw changedError(paths.folder, fixed);
  if (changes.length === 0) return file;
  const newest = (await listCheckpoints(paths)).at(-1) ?? null;
  if (newest !== null && wanted.generations < newest) {
    throw new TrainingError(
      'run-changed',
      `${paths.folder} already has generation ${newest}: generations cannot be ${wanted.generations}`,
    );
  }
  const values = changes.map(({ path, after }) => [path, after] as const);
  return changedRunFile(file, { afterGeneration: newest, settings: Object.fromEntries(values) });
}

/** The file that the run will have, and the one on the disk; null: none, for a new run. */
async function plannedFile(
  paths: RunPaths,
  options: OpenRunOptions,
): Promise<{ file: RunFile; existing: RunFile | null }> {
  const existing = await readRunFileAt(paths.runFile);
  if (existing !== null) {
    if (!options.resume) {
      throw new TrainingError(
        'run-exists',
        `${paths.folder} holds a run: resume it with --resume, or choose another --out`,
      );
    }
    const file = await continuedFile(existing, paths, options);
    return { file, existing };
  }
  const { config, from, versions } = options;
  if (config === undefined) {
    throw new TrainingError(
      'run-missing',
      `expected a run in ${paths.folder} (no ${paths.runFile}), or --config FILE or --preset NAME`,
    );
  }
  const origin = from === undefined ? null : await findOrigin(from, config);
  return { file: newRunFile({ versions, origin, config }), existing };
}

/**
 * Opens and locks the folder of a new or existing run.
 *
 * @throws TrainingError `run-exists` (`resume` is false), `run-missing` (no configuration, and no run to resume),
 *   `run-changed` (begun with other settings, which the message names, or from another checkpoint), `run-damaged`,
 *   `run-too-new`, `config-invalid` for an agent that cannot be opened; DataError `run-locked`, `output-misplaced`;
 *   SettingError for settings; for `from` the errors of `findOrigin`.
 */
export async function openRun(folder: string, options: OpenRunOptions): Promise<Run> {
  const paths = runPaths(folder);
  // Checks the options before anything is written, so that a run that cannot begin leaves no folder behind.
  await expectPlaceForOutput(folder, 'run');
  const planned = await plannedFile(paths, options);
  if (planned.file !== planned.existing) {
    await expectAgents(planned.file.config, { isNew: planned.existing === null });
  }
  await makeFolder(folder);
  const lock = await lockFolder(folder);
  try {
    const { file, existing } = await plannedFile(paths, options);
    if (file !== existing) await writeRunFile(paths.runFile, file);
    const { config, configDigest, origin } = file;
    return { paths, config, configDigest, origin, lock };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Reads and validates the `run.json` of a run's folder.
 *
 * @throws TrainingError `run-missing`, `run-damaged` (also for a run without that file), `run-too-new`,
 *   `config-invalid`; DataError `file-unreadable`.
 */
export async function expectRunFile(folder: string): Promise<RunFile> {
  const paths = runPaths(folder);
  const file = await readRunFileAt(paths.runFile);
  if (file !== null) return file;
  if (await isRunFolder(paths)) throw new TrainingError('run-damaged', missingRunFile(paths));
  throw new TrainingError('run-missing', `expected a run in ${folder} (no ${paths.runFile})`);
}

/**
 * Reads and validates the `run.json` of a run's folder; null if it does not exist.
 *
 * @throws TrainingError `run-damaged`, `run-too-new`, `config-invalid`; DataError `file-unreadable`.
 */
export async function readRunFile(folder: string): Promise<RunFile | null> {
  return readRunFileAt(runPaths(folder).runFile);
}
