import type { RunPaths } from './run-paths.js';
import { readRecords, type RecordReader } from './run-record-file.js';
import type { RemovablePart } from './run-records.js';

/**
 * The generations of which the retention rule removed a part.
 *
 * @param read reads the records.
 * @throws TrainingError `run-damaged`, DataError `file-unreadable` for the records.
 */
export async function removedGenerations(
  paths: Pick<RunPaths, 'removals'>,
  part: RemovablePart,
  read: RecordReader = readRecords,
): Promise<ReadonlySet<number>> {
  const records = await read(paths, 'removals');
  return new Set(records.filter(({ key }) => key === part).map(({ generation }) => generation));
}
