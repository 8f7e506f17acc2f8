import { open } from 'node:fs/promises';
import { writeFailure, writeFileAtomic } from './atomic-file.js';
import { readInputIfThere } from './input-file.js';

/**
 * Sets the content of a file. If the file holds a prefix of `content`, the rest is appended, so that programs that
 * follow the file keep their place; a process killed meanwhile leaves a longer prefix. Any other file is replaced
 * atomically.
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
