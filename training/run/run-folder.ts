import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../data/files/atomic-file.js';
import { expectNoRunAbove, lockRun, type RunLock } from '../../data/files/run-lock.js';
import { configWithSettings } from '../config/config-settings.js';
import type { RunConfig } from '../config/run-config.js';
import { TrainingError } from '../training-error.js';
import { describeChange, FREE_SETTINGS, isFree, type SettingChange, settingChanges } from './run-changes.js';
import {
  changedRunFile,
  newRunFile,
  readRunFileAt,
  type RunFile,
  withEarlierValues,
  writeRunFile,
} from './run-file.js';
import { findOrigin } from './run-origin.js';

/** Where the parts of a run lie. Generations count from 0, the network before training. */
export interface RunPaths {
  readonly folder: string;
  readonly runFile: string;
  readonly metrics: string;
  readonly evaluations: string;
  /** Matches of new networks for their place in self-play (gating.ts). */
  readonly gates: string;
  /** What was removed by the rule (retention.ts). */
  readonly removals: string;
  readonly tensorboard: string;
  readonly checkpoints: string;
  /** What of a generation is half learnt (halfway-folder.ts). */
  readonly learning: string;
  readonly allData: string;
  /** Folder of the shards that a generation learns from. */
  data(generation: number): string;
  /** Folder of a generation's checkpoint. */
  checkpoint(generation: number): string;
}

/** A run that this process owns. */
export interface Run extends Pick<RunFile, 'config' | 'configDigest' | 'begunWith' | 'origin'> {
  readonly paths: RunPaths;
  readonly lock: RunLock;
}

/** What opening a run asks for. */
export interface OpenRunOptions {
  /** The configuration; undefined continues with the one that the run has. */
  readonly config: RunConfig | undefined;
  /** Where there is no `config`: settings to go on with instead of the run's, `a.b=value`. */
  readonly settings?: readonly string[] | undefined;
  /** Whether a run that exists is continued, instead of being an error. */
  readonly resume: boolean;
  /** The folder of a checkpoint that a new run begins from; undefined: from an untrained network. */
  readonly from?: string | undefined;
  /** Versions to note in `run.json`. */
  readonly versions: Readonly<Record<string, string>>;
}

/** Names of the files and folders of the run in `folder`. */
export function runPaths(folder: string): RunPaths {
  const generationFolder = (kind: string, generation: number): string =>
    join(folder, kind, `gen-${String(generation).padStart(6, '0')}`);
  return {
    folder,
    runFile: join(folder, 'run.json'),
    metrics: join(folder, 'metrics.jsonl'),
    evaluations: join(folder, 'evaluations.jsonl'),
    gates: join(folder, 'gates.jsonl'),
    removals: join(folder, 'removed.jsonl'),
    tensorboard: join(folder, 'tensorboard'),
    checkpoints: join(folder, 'checkpoints'),
    learning: join(folder, 'learning'),
    allData: join(folder, 'data'),
    data: (generation) => generationFolder('data', generation),
    checkpoint: (generation) => generationFolder('checkpoints', generation),
  };
}

/** The generations that have a folder in `folder`, ascending; none where there is no such folder. */
async function generationsIn(folder: string): Promise<readonly number[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .flatMap((name) => /^gen-(\d{6,})$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/** The generations whose checkpoint is there, ascending. */
export async function listCheckpoints({ checkpoints }: RunPaths): Promise<readonly number[]> {
  return generationsIn(checkpoints);
}

/** The generations whose games are there, ascending. */
export async function listData({ allData }: RunPaths): Promise<readonly number[]> {
  return generationsIn(allData);
}

function changedError(folder: string, changes: readonly SettingChange[]): TrainingError {
  return new TrainingError(
    'run-changed',
    `${folder} was begun with other settings: ${changes.map(describeChange).join('; ')}. ` +
      `It goes on with its own, but for ${FREE_SETTINGS.join(', ')}; --out names another folder for another run`,
  );
}

/** What the run is to go on with, `file` itself where nothing is new. */
async function continuedFile(file: RunFile, paths: RunPaths, options: OpenRunOptions): Promise<RunFile> {
  const { settings = [], from } = options;
  // A file from the time of the run says nothing of settings that came later.
  const given = options.config && (withEarlierValues(options.config, file.begunWith) as RunConfig);
  const wanted = given ?? configWithSettings(file.config, settings) ?? file.config;
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
      `${paths.folder} has generation ${newest} already: generations cannot be ${wanted.generations}`,
    );
  }
  const values = changes.map(({ path, after }) => [path, after] as const);
  return changedRunFile(file, { afterGeneration: newest, settings: Object.fromEntries(values) });
}

/** The file that the run is to have, which may be the one that it has. */
async function plannedFile(
  paths: RunPaths,
  options: OpenRunOptions,
): Promise<{ file: RunFile; isNew: boolean }> {
  const existing = await readRunFileAt(paths.runFile);
  if (existing !== null) {
    if (!options.resume) {
      throw new TrainingError(
        'run-exists',
        `${paths.folder} holds a run: --resume goes on with it, --out names another`,
      );
    }
    const file = await continuedFile(existing, paths, options);
    return { file, isNew: file !== existing };
  }
  const { config, from, versions } = options;
  if (config === undefined) {
    throw new TrainingError(
      'run-missing',
      `expected a run in ${paths.folder} (no ${paths.runFile}), or --config FILE or --preset NAME`,
    );
  }
  const origin = from === undefined ? null : await findOrigin(from, config);
  return { file: newRunFile({ versions, origin, config }), isNew: true };
}

/**
 * Takes possession of a run folder, new or begun.
 *
 * @throws TrainingError `run-exists` (and `resume` is false), `run-missing` (no configuration and nothing to
 * continue), `run-changed` (begun with other settings, which are named, or from another checkpoint), `run-damaged`,
 * `run-too-new`; DataError `run-locked`; SettingError for settings; of a checkpoint to begin from what `findOrigin`
 * throws.
 */
export async function openRun(folder: string, options: OpenRunOptions): Promise<Run> {
  const paths = runPaths(folder);
  // First without a trace: what cannot be begun leaves no folder behind.
  await plannedFile(paths, options);
  await expectNoRunAbove(folder);
  await makeFolder(folder);
  const lock = await lockRun(folder);
  try {
    const { file, isNew } = await plannedFile(paths, options);
    if (isNew) await writeRunFile(paths.runFile, file);
    const { config, configDigest, begunWith, origin } = file;
    return { paths, config, configDigest, begunWith, origin, lock };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * Reads the `run.json` of a run's folder, checked; null where there is none.
 *
 * @throws what `readRunFileAt` throws.
 */
export async function readRunFile(folder: string): Promise<RunFile | null> {
  return readRunFileAt(runPaths(folder).runFile);
}
