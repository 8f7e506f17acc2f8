import { dirname } from 'node:path';
import * as z from 'zod';
import { writeFileAtomic } from '../../data/files/atomic-file.js';
import { type JsonForm, readJsonFile } from '../../data/files/json-file.js';
import { sealJson } from '../../data/files/sealed-json.js';
import { namedValues } from '../../env/named-values.js';
import { digestOfConfig, parseRunConfig } from '../config/config-file.js';
import { withSettings } from '../config/config-settings.js';
import { withGameModule } from '../games/configured-game-module.js';
import type { JsonObject } from '../../env/text/json-object.js';
import type { RunConfig } from '../config/run-config.js';
import { TrainingError } from '../training-error.js';

/** Version of `run.json`. */
export const RUN_VERSION = 1;

const RunOrigin = z.strictObject({
  /** Folder, as an absolute path. */
  checkpoint: z.string(),
  /** SHA-256 of its manifest, which lists the checksums of its files. */
  sha256: z.string(),
});
/** The checkpoint from which a run starts: its generation 0. */
export type RunOrigin = z.infer<typeof RunOrigin>;

const RunChange = z.strictObject({
  /** The newest generation at the time of the change; null before the first. */
  afterGeneration: z.int().min(0).nullable(),
  /** New values, by path. */
  settings: namedValues(z.unknown()),
});
/** Settings that were changed when the run was resumed. */
export type RunChange = z.infer<typeof RunChange>;

const RunFileContent = z.strictObject({
  runVersion: z.literal(RUN_VERSION),
  configDigest: z.string(),
  versions: namedValues(z.string()),
  origin: RunOrigin.nullable(),
  changes: z.array(RunChange),
  config: z.looseObject({}),
});

const RUN_FORM: JsonForm<z.infer<typeof RunFileContent>> = {
  schema: RunFileContent,
  name: 'a description of a run',
  seal: 'file',
  version: {
    key: 'runVersion',
    newest: RUN_VERSION,
    error: (message) => new TrainingError('run-too-new', message),
  },
  error: (message, cause) => new TrainingError('run-damaged', message, { cause }),
};

/** The content of `run.json`. */
export interface RunFile {
  /** SHA-256 of `storedConfig`, which identifies the run in its checkpoints, whatever settings change. */
  readonly configDigest: string;
  /** Versions of the software with which the run began, by name. */
  readonly versions: Readonly<Record<string, string>>;
  /** Null: generation 0 is the untrained network. */
  readonly origin: RunOrigin | null;
  /** Changes of settings, in order. */
  readonly changes: readonly RunChange[];
  /** The configuration with which the run began, as the version that began it wrote it. */
  readonly storedConfig: JsonObject;
  /** The same with the settings of this version. */
  readonly begunWith: RunConfig;
  /** The current configuration: the original one with all changes. */
  readonly config: RunConfig;
}

/** The parts of a new `run.json`. */
export type NewRunFile = Pick<RunFile, 'versions' | 'origin' | 'config'>;

/** `begunWith` after all changes. */
function resolve(begunWith: RunConfig, changes: readonly RunChange[], path: string): RunConfig {
  const value = changes.reduce<object>(
    (config, { settings }) => withSettings(config, Object.entries(settings)),
    begunWith,
  );
  return parseRunConfig(value, path);
}

/** Creates the file of a new run. */
export function newRunFile({ versions, origin, config }: NewRunFile): RunFile {
  const begunWith = { ...config };
  // The path of the configuration file's schema is meaningless in the run's folder.
  delete begunWith.$schema;
  const configDigest = digestOfConfig(begunWith);
  return { configDigest, versions, origin, changes: [], storedConfig: begunWith, begunWith, config };
}

/**
 * Creates the file of the same run with other settings.
 *
 * @throws TrainingError `config-invalid`.
 */
export function changedRunFile(file: RunFile, change: RunChange): RunFile {
  const changes = [...file.changes, change];
  return { ...file, changes, config: resolve(file.begunWith, changes, 'run.json') };
}

/**
 * Writes `run.json`.
 *
 * @throws DataError `disk-full`, `write-failed`.
 */
export async function writeRunFile(path: string, file: RunFile): Promise<void> {
  const { configDigest, versions, origin, changes, storedConfig: config } = file;
  const content = { runVersion: RUN_VERSION, configDigest, versions, origin, changes, config };
  await writeFileAtomic(path, sealJson(content, 'file'));
}

/**
 * Reads and validates a `run.json`; null if it does not exist.
 *
 * @throws TrainingError `run-damaged`, `run-too-new`, `config-invalid`; DataError `file-unreadable`, `file-too-large`;
 *   NotationError as `loadGameModule` for the game.
 */
export async function readRunFileAt(path: string): Promise<RunFile | null> {
  const content = await readJsonFile(path, 'run', RUN_FORM);
  if (content === null) return null;
  const { configDigest, versions, origin, changes, config: storedConfig } = content;
  if (digestOfConfig(storedConfig) !== configDigest) {
    throw new TrainingError('run-damaged', `the configuration in ${path} does not match its own digest`);
  }
  const begunWith = parseRunConfig(await withGameModule(storedConfig, dirname(path)), path);
  const config = resolve(begunWith, changes, path);
  return { configDigest, versions, origin, changes, storedConfig, begunWith, config };
}
