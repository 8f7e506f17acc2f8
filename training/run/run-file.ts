import { z } from 'zod';
import { describeProblems } from '../../env/problems-text.js';
import { writeFileAtomic } from '../../data/files/atomic-file.js';
import { openSealed, sealJson } from '../../data/files/sealed-json.js';
import { readTextIfThere } from '../../data/files/text-file.js';
import { namedValues } from '../../env/named-values.js';
import { digestOfConfig, parseRunConfig } from '../config/config-file.js';
import { settingsByPath, withSettings } from '../config/config-settings.js';
import type { RunConfig } from '../config/run-config.js';
import { TrainingError } from '../training-error.js';

/** Version of `run.json`: 2 has a checksum of its own, 3 changes of settings and where the run began. */
export const RUN_VERSION = 3;

const RunOrigin = z.strictObject({
  /** Folder, as an absolute path. */
  checkpoint: z.string(),
  /** SHA-256 of its manifest, which has those of its files. */
  sha256: z.string(),
});
/** The checkpoint that a run's generation 0 is. */
export type RunOrigin = z.infer<typeof RunOrigin>;

const RunChange = z.strictObject({
  /** The newest generation at the time; null before the first. */
  afterGeneration: z.int().min(0).nullable(),
  /** New values, by path. */
  settings: namedValues(z.unknown()),
});
/** Settings that were changed when the run went on. */
export type RunChange = z.infer<typeof RunChange>;

const RunFileSchema = z.strictObject({
  runVersion: z.int().min(1).max(RUN_VERSION),
  configDigest: z.string(),
  versions: namedValues(z.string()),
  origin: RunOrigin.nullable().default(null),
  changes: z.array(RunChange).default([]),
  config: z.looseObject({}),
});

/** What `run.json` says. */
export interface RunFile {
  readonly runVersion: number;
  /** SHA-256 of `begunWith`: what the run, its shards and its checkpoints are known by, whatever changes. */
  readonly configDigest: string;
  /** Versions of what the run was begun with, by name. */
  readonly versions: Readonly<Record<string, string>>;
  /** Null: generation 0 is the untrained network. */
  readonly origin: RunOrigin | null;
  /** In order. */
  readonly changes: readonly RunChange[];
  /** The configuration with the defaults of its time, which may lack settings of this program. */
  readonly begunWith: Readonly<Record<string, unknown>>;
  /** It, with the changes, and settings that came later as it was done before: what the run goes on with. */
  readonly config: RunConfig;
}

/** What a new `run.json` is to say. */
export type NewRunFile = Pick<RunFile, 'versions' | 'origin' | 'config'>;

/** What was done before a setting existed, by its path, where its default does something else. */
const EARLIER_VALUES: ReadonlyMap<string, unknown> = new Map([['selfPlay.search.decisiveMoves', false]]);

/** `config` with what was done before settings existed that a run was begun without. */
export function withEarlierValues(config: object, begunWith: object): object {
  const written = settingsByPath(begunWith);
  return withSettings(
    config,
    [...EARLIER_VALUES].filter(([path]) => !written.has(path)),
  );
}

/** The changes made to what a run was begun with, completed. Throws TrainingError `config-invalid`. */
function resolve(begunWith: object, changes: readonly RunChange[], path: string): RunConfig {
  const value = changes.reduce<object>(
    (config, { settings }) => withSettings(config, Object.entries(settings)),
    withEarlierValues(begunWith, begunWith),
  );
  return parseRunConfig(value, path);
}

/** The file of a run that begins. */
export function newRunFile({ versions, origin, config }: NewRunFile): RunFile {
  // Where the schema of the file lay says nothing of the run.
  const begunWith = Object.fromEntries(Object.entries(config).filter(([key]) => key !== '$schema'));
  const configDigest = digestOfConfig(begunWith);
  return {
    runVersion: RUN_VERSION,
    configDigest,
    versions,
    origin,
    changes: [],
    begunWith,
    config,
  };
}

/** The same run with other settings. Throws TrainingError `config-invalid`. */
export function changedRunFile(file: RunFile, change: RunChange): RunFile {
  const changes = [...file.changes, change];
  return { ...file, runVersion: RUN_VERSION, changes, config: resolve(file.begunWith, changes, 'run.json') };
}

/** Writes `run.json`. Throws DataError `disk-full`, `write-failed`. */
export async function writeRunFile(path: string, file: RunFile): Promise<void> {
  const { runVersion, configDigest, versions, origin, changes, begunWith } = file;
  const content = { runVersion, configDigest, versions, origin, changes, config: begunWith };
  await writeFileAtomic(path, sealJson(content, 'file'));
}

/**
 * Reads a `run.json`, checked; null where there is none.
 *
 * @throws TrainingError `run-damaged`, `run-too-new`, `config-invalid`; DataError `file-unreadable`.
 */
export async function readRunFileAt(path: string): Promise<RunFile | null> {
  const text = await readTextIfThere(path);
  if (text === null) return null;
  const { value, seal } = openSealed(text, 'file');
  if (value === null) throw new TrainingError('run-damaged', `expected JSON, an object, in ${path}`);
  const version = z.object({ runVersion: z.int() }).safeParse(value).data?.runVersion;
  if (version !== undefined && version > RUN_VERSION) {
    const known = `this program reads up to ${RUN_VERSION}`;
    throw new TrainingError('run-too-new', `${path} has version ${version}, ${known}`);
  }
  const content = RunFileSchema.safeParse(value);
  if (!content.success) {
    const problems = describeProblems(content.error);
    throw new TrainingError('run-damaged', `expected what a run is in ${path}: ${problems}`);
  }
  const { config: begunWith, ...file } = content.data;
  const expected = file.runVersion === 1 ? 'unsealed' : 'sound';
  if (seal !== expected) throw new TrainingError('run-damaged', `${path} does not fit its own checksum`);
  // Of the settings as they were written: defaults that came later are no part of it.
  if (digestOfConfig(begunWith) !== file.configDigest) {
    throw new TrainingError('run-damaged', `the configuration in ${path} does not fit its own digest`);
  }
  return { ...file, begunWith, config: resolve(begunWith, file.changes, path) };
}
