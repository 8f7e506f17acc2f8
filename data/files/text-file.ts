import { readFile } from 'node:fs/promises';
import { readFailure, systemErrorCode } from '../data-error.js';

/** The text of a file (UTF-8), or null where there is none. Throws `DataError` `file-unreadable`. */
export async function readTextIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null;
    throw readFailure(path, error);
  }
}
