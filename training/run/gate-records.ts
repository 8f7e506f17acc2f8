import type { RunConfig } from '../config/run-config.js';
import { TrainingError } from '../training-error.js';
import type { RunPaths } from './run-paths.js';
import { missingGenerations, readRecords } from './run-record-file.js';
import type { GateRecord } from './run-records.js';

/** The generation that plays self-play after the gate match of `generation`: the newest that passed the gate, or 0. */
export function playingGeneration(
  records: readonly Pick<GateRecord, 'generation' | 'passed'>[],
  generation: number,
): number {
  const passed = records.filter((record) => record.passed && record.generation <= generation);
  return Math.max(0, ...passed.map((record) => record.generation));
}

/**
 * The generation that plays self-play once `generation` has been learnt: `generation` itself or, with a gate, the
 * newest that passed it.
 *
 * @throws TrainingError `run-damaged` if the record of a match is missing or damaged; DataError `file-unreadable`.
 */
export async function findPlayingGeneration(
  { config, paths }: { readonly config: Pick<RunConfig, 'gate'>; readonly paths: Pick<RunPaths, 'gates'> },
  generation: number,
): Promise<number> {
  if (config.gate.games === 0) return generation;
  const records = await readRecords(paths, 'gates');
  const [missing] = missingGenerations(records, generation);
  if (missing === undefined) return playingGeneration(records, generation);
  throw new TrainingError('run-damaged', `expected the match of generation ${missing} in ${paths.gates}`);
}
