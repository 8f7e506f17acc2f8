import { DataError } from '../../data/data-error.js';

/**
 * Expects that the working folder has not been removed: Node finds no relative path and starts no thread without it.
 *
 * @throws DataError `file-missing`.
 */
export function expectWorkingFolder(): void {
  try {
    process.cwd();
  } catch (cause) {
    throw new DataError('file-missing', 'expected a working folder, found that it was removed', { cause });
  }
}
