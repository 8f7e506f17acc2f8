import { readInput } from '../../../data/files/input-file.js';
import { TrainingError } from '../../training-error.js';

/**
 * Compares an event file, which may lack the newest events, with the content that follows from the run's records.
 *
 * @returns false if the content cannot be generated.
 * @throws TrainingError `run-damaged`; DataError `file-unreadable`.
 */
export async function checkEventFile(path: string, contentOf: () => Promise<Uint8Array>): Promise<boolean> {
  const expected = await contentOf().catch(() => null);
  if (expected === null) return false;
  const found = await readInput(path, 'events');
  if (found.equals(expected.subarray(0, found.length))) return true;
  throw new TrainingError(
    'run-damaged',
    `expected the events of the run's records in ${path}: resuming the run restores it`,
  );
}
