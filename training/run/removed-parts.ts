import type { RunPaths } from './run-paths.js';
import { readRecords } from './run-record-file.js';
import type { RemovablePart } from './run-records.js';

/**
 * The generations whose part the retention rule removed.
 *
 * @throws TrainingError `run-damaged`, DataError `file-unreadable` for the records.
 */
export async function removedGenerations(
  paths: Pick<RunPaths, 'removals'>,
  part: RemovablePart,
): Promise<ReadonlySet<number>> {
  const records = await readRecords(paths, 'removals');
  return new Set(records.filter(({ key }) => key === part).map(({ generation }) => generation));
}
