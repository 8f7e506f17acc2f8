import { join } from 'node:path';
import { z } from 'zod';
import { makeFolder, writeFileAtomic } from '../data/atomic-file.js';
import { lockRun, type RunLock } from '../data/run-lock.js';
import { openSealed, sealJson } from '../data/sealed-json.js';
import { readTextIfThere } from '../data/text-file.js';
import { namedValues } from '../env/named-values.js';
import { digestOfConfig, parseRunConfig } from './config-file.js';
import type { RunConfig } from './config.js';
import { TrainingError } from './errors.js';

/** Version of `run.json`; version 2 has a checksum of its own, and so have the records beside it. */
export const RUN_VERSION = 2;

/** Where the parts of a run lie. Generations count from 0, the network before training. */
export interface RunPaths {
  readonly folder: string;
  readonly runFile: string;
  readonly metrics: string;
  readonly evaluations: string;
  /** Folder of the shards that a generation learns from. */
  data(generation: number): string;
  /** Folder of a generation's checkpoint. */
  checkpoint(generation: number): string;
}

/** A run that this process owns. */
export interface Run {
  readonly paths: RunPaths;
  readonly config: RunConfig;
  /** SHA-256 of the configuration. */
  readonly configDigest: string;
  readonly lock: RunLock;
}

/** What opening a run asks for. */
export interface OpenRunOptions {
  /** The configuration; undefined continues with the one that the run was started with. */
  readonly config: RunConfig | undefined;
  /** Whether a run that exists is continued, instead of being an error. */
  readonly resume: boolean;
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
    data: (generation) => generationFolder('data', generation),
    checkpoint: (generation) => generationFolder('checkpoints', generation),
  };
}

/**
 * Takes possession of a run folder, new or begun.
 *
 * @throws TrainingError `run-exists` (and `resume` is false), `run-missing` (no configuration and nothing to
 * continue), `run-changed` (begun with another configuration), `run-damaged`, `run-too-new`; DataError `run-locked`.
 */
export async function openRun(folder: string, options: OpenRunOptions): Promise<Run> {
  const paths = runPaths(folder);
  const existing = (await readRunFile(folder))?.config ?? null;
  if (existing !== null && !options.resume) {
    throw new TrainingError(
      'run-exists',
      `${folder} holds a run: --resume goes on with it, --out names another`,
    );
  }
  const config = options.config ?? existing;
  if (config === null) {
    throw new TrainingError(
      'run-missing',
      `expected a run in ${folder} (no ${paths.runFile}), or --config FILE`,
    );
  }
  const configDigest = digestOfConfig(config);
  if (existing !== null && digestOfConfig(existing) !== configDigest) {
    throw new TrainingError(
      'run-changed',
      `${folder} was begun with another configuration: go on with its own (its run.json has it), or choose another folder with --out`,
    );
  }
  await makeFolder(folder);
  const lock = await lockRun(folder);
  if (existing === null) {
    const content = { runVersion: RUN_VERSION, configDigest, versions: options.versions, config };
    await writeFileAtomic(paths.runFile, sealJson(content, 'file'));
  }
  return { paths, config, configDigest, lock };
}

const RunFileSchema = z.strictObject({
  runVersion: z.literal([1, RUN_VERSION]),
  configDigest: z.string(),
  versions: namedValues(z.string()),
  config: z.unknown(),
});

/** What `run.json` says. */
export interface RunFile {
  readonly runVersion: number;
  /** SHA-256 of the configuration. */
  readonly configDigest: string;
  /** Versions of what the run was begun with, by name. */
  readonly versions: Readonly<Record<string, string>>;
  readonly config: RunConfig;
}

/**
 * Reads the `run.json` of a run's folder, checked; null where there is none.
 *
 * @throws TrainingError `run-damaged`, `run-too-new`, `config-invalid`; DataError `file-unreadable`.
 */
export async function readRunFile(folder: string): Promise<RunFile | null> {
  const path = runPaths(folder).runFile;
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
    const problems = z.prettifyError(content.error);
    throw new TrainingError('run-damaged', `expected what a run is in ${path}: ${problems}`);
  }
  const expected = content.data.runVersion === 1 ? 'unsealed' : 'sound';
  if (seal !== expected) throw new TrainingError('run-damaged', `${path} does not fit its own checksum`);
  return { ...content.data, config: parseRunConfig(content.data.config, path) };
}
