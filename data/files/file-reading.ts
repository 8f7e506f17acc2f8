import { readFile } from 'node:fs/promises';
import { readFailure, systemErrorCode } from '../data-error.js';

/**
 * The bytes of a file.
 *
 * @throws DataError `file-missing`, `file-unreadable`.
 */
export async function readWholeFile(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw readFailure(path, error);
  }
}

/**
 * The bytes of a file, or null if it does not exist.
 *
 * @throws DataError `file-missing` if its folder is a file, `file-unreadable`.
 */
export async function readFileIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null;
    throw readFailure(path, error);
  }
}

/**
 * The text of a file in UTF-8, or null if it does not exist.
 *
 * @throws DataError `file-missing` if its folder is a file, `file-unreadable`.
 */
export async function readTextIfThere(path: string): Promise<string | null> {
  return (await readFileIfThere(path))?.toString() ?? null;
}
