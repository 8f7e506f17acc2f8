import { open } from 'node:fs/promises';
import { writeFailure, writeFileAtomic } from './atomic-file.js';
import { readInputIfThere } from './input-file.js';

/**
 * Makes a file hold `content`. If it holds the beginning of it, the rest is appended, so that programs that follow the file
 * can read on; a process killed meanwhile leaves a longer beginning. Any other file is replaced at once.
 *
 * @throws DataError `file-unreadable`, `file-too-large`, `disk-full`, `write-failed`.
 */
export async function writeGrowingFile(path: string, content: Uint8Array): Promise<void> {
  const found = await readInputIfThere(path, 'events');
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
