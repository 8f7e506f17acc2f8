import { TrainingError } from '../training-error.js';
import type { RunPaths } from './run-paths.js';
import { missingGenerations, readRecords } from './run-record-file.js';

/** A part of a run that is missing or changed. */
export interface LostPart {
  /** Its path in the run. */
  readonly path: string;
  /** Includes the path. */
  readonly message: string;
}

/** A generation's missing line of `metrics.jsonl`. */
export function missingLine({ metrics }: Pick<RunPaths, 'metrics'>, generation: number): LostPart {
  return { path: metrics, message: `expected a line of generation ${generation} in ${metrics}` };
}

/** Missing lines of `metrics.jsonl` up to generation `newest`. Each is lost, since lines are never removed. */
export function lostRecords(
  paths: Pick<RunPaths, 'metrics'>,
  records: readonly { readonly generation: number }[],
  newest: number,
): readonly LostPart[] {
  return missingGenerations(records, newest).map((generation) => missingLine(paths, generation));
}

/**
 * Checks that `metrics.jsonl` has a line for each generation up to `newest`, the newest checkpoint.
 *
 * @throws TrainingError `run-damaged` if a line is missing or damaged; DataError `file-unreadable`.
 */
export async function expectWholeMetrics(paths: Pick<RunPaths, 'metrics'>, newest: number): Promise<void> {
  const [missing] = lostRecords(paths, await readRecords(paths, 'metrics'), newest);
  if (missing !== undefined) throw new TrainingError('run-damaged', missing.message);
}
