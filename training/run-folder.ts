import { join } from 'node:path';
import { makeFolder, writeFileAtomic } from '../data/atomic-file.js';
import { lockRun, type RunLock } from '../data/run-lock.js';
import { readTextIfThere } from '../data/text-file.js';
import { digestOfConfig, parseRunConfig } from './config-file.js';
import type { RunConfig } from './config.js';
import { TrainingError } from './errors.js';

/** Version of `run.json`. */
const RUN_VERSION = 1;

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
  const existing = await readRunFile(paths.runFile);
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
    await writeFileAtomic(paths.runFile, `${JSON.stringify(content, undefined, 2)}\n`);
  }
  return { paths, config, configDigest, lock };
}

/** The configuration of the run, or null where there is none. */
async function readRunFile(path: string): Promise<RunConfig | null> {
  const text = await readTextIfThere(path);
  if (text === null) return null;
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new TrainingError('run-damaged', `expected JSON in ${path}`, { cause: error });
  }
  const { runVersion, config } = (content ?? {}) as { runVersion?: unknown; config?: unknown };
  if (typeof runVersion === 'number' && runVersion > RUN_VERSION) {
    throw new TrainingError(
      'run-too-new',
      `${path} has version ${runVersion}, this program reads up to ${RUN_VERSION}`,
    );
  }
  if (runVersion !== RUN_VERSION) {
    throw new TrainingError(
      'run-damaged',
      `${path} has version ${String(runVersion)}, expected ${RUN_VERSION}`,
    );
  }
  return parseRunConfig(config, path);
}
