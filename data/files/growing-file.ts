import { open, readFile } from 'node:fs/promises';
import { writeFailure, writeFileAtomic } from './atomic-file.js';
import { readFailure, systemErrorCode } from '../data-error.js';

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null;
    throw readFailure(path, error);
  }
}

/**
 * Makes a file hold `content`. One that holds the beginning of it is added to, so that a program that follows the file
 * reads on; it may be killed meanwhile, and the beginning of the content is there. Any other file is replaced at once.
 *
 * @throws DataError `file-unreadable`, `disk-full`, `write-failed`.
 */
export async function writeGrowingFile(path: string, content: Uint8Array): Promise<void> {
  const found = await readIfThere(path);
  if (found?.equals(content.subarray(0, found.length)) !== true) return writeFileAtomic(path, content);
  if (found.length === content.length) return;
  try {
    const file = await open(path, 'a');
    try {
      await file.writeFile(content.subarray(found.length));
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    throw writeFailure(path, error);
  }
}
