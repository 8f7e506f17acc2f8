import { join } from 'node:path';
import { exists } from '../../data/files/atomic-file.js';
import { sha256 } from '../../data/files/sealed-json.js';
import { CHECKPOINTS_FOLDER, generationFolder, generationsIn } from '../checkpoints/generation-folders.js';

/** Name of the file that lists workers on other machines, in the folder of a run or of games. */
export const WORKERS_FILE = 'workers.jsonl';

/** Paths of the parts of a run. Generations count from 0, the network before training. */
export interface RunPaths {
  readonly folder: string;
  readonly runFile: string;
  readonly metrics: string;
  readonly evaluations: string;
  /** Gate matches of new networks, for their place in self-play (gate-records.ts). */
  readonly gates: string;
  /** Parts that the retention rule removed (removed-parts.ts). */
  readonly removals: string;
  /** Move accuracies on solved positions (run-accuracy.ts). */
  readonly accuracies: string;
  /** Losses every 50 steps of learning (learning-curve.ts). */
  readonly steps: string;
  /** The current activity of the run (live-file.ts). */
  readonly live: string;
  /** Workers on other machines, and the shards that they made. */
  readonly workers: string;
  readonly tensorboard: string;
  readonly checkpoints: string;
  /** The saved learner of an unfinished generation (halfway-folder.ts). */
  readonly learning: string;
  /** Games of matches. */
  readonly matches: string;
  readonly allData: string;
  /** Folder of the shards from which a generation learns. */
  data(generation: number): string;
  /** Folder of a generation's checkpoint. */
  checkpoint(generation: number): string;
  /** Folder of a generation's match with an opponent, given by its key in the records, or `gate`. */
  match(generation: number, key: string): string;
}

/** A file name for a key: readable, and different for different keys. */
function fileNameOf(key: string): string {
  const readable = key.replaceAll(/[^\w=.-]+/g, '-').slice(0, 60);
  return `${readable}-${sha256(key).slice(0, 8)}`;
}

/** Names of the files and folders of the run in `folder`. */
export function runPaths(folder: string): RunPaths {
  const checkpoints = join(folder, CHECKPOINTS_FOLDER);
  const allData = join(folder, 'data');
  const matches = join(folder, 'matches');
  return {
    folder,
    runFile: join(folder, 'run.json'),
    metrics: join(folder, 'metrics.jsonl'),
    evaluations: join(folder, 'evaluations.jsonl'),
    gates: join(folder, 'gates.jsonl'),
    removals: join(folder, 'removed.jsonl'),
    accuracies: join(folder, 'accuracy.jsonl'),
    steps: join(folder, 'steps.jsonl'),
    live: join(folder, 'live.json'),
    workers: join(folder, WORKERS_FILE),
    tensorboard: join(folder, 'tensorboard'),
    checkpoints,
    learning: join(folder, 'learning'),
    matches,
    allData,
    data: (generation) => generationFolder(allData, generation),
    checkpoint: (generation) => generationFolder(checkpoints, generation),
    match: (generation, key) => join(generationFolder(matches, generation), fileNameOf(key)),
  };
}

/** The generations with a checkpoint folder, ascending. */
export async function listCheckpoints({ checkpoints }: RunPaths): Promise<readonly number[]> {
  return generationsIn(checkpoints);
}

/** The generations with a folder of games, ascending. */
export async function listData({ allData }: RunPaths): Promise<readonly number[]> {
  return generationsIn(allData);
}

/** Whether a folder belongs to a run, with or without its `run.json`: it has checkpoints, games or records of one. */
export async function isRunFolder(paths: RunPaths): Promise<boolean> {
  if ((await exists(paths.runFile)) || (await exists(paths.metrics))) return true;
  return (await listCheckpoints(paths)).length + (await listData(paths)).length > 0;
}

/** The message about a run's folder without its `run.json`. */
export function missingRunFile({ runFile }: RunPaths): string {
  return `expected a description of the run in ${runFile}: its folder has checkpoints, games or records`;
}
