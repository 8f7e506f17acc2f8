import { fstatSync } from 'node:fs';
import { DataError, readFailure } from '../../data/data-error.js';
import { nextTask } from '../../agents/next-task.js';
import { nameOfType } from '../../data/files/input-file.js';

const STDIN = 0;

/**
 * The bytes of stdin: of a pipe, a terminal, a socket, a device such as /dev/null, or a file.
 *
 * @throws DataError `file-unreadable` for a folder, for a descriptor that is open for writing only, and for whatever
 *   else the system cannot read.
 */
export async function* standardInput(): AsyncGenerator<Uint8Array> {
  const found = fstatSync(STDIN);
  // Node reads nothing from these, without an error.
  if (found.isDirectory() || found.isBlockDevice()) {
    throw new DataError('file-unreadable', `expected a file or a pipe as stdin, found ${nameOfType(found)}`);
  }
  try {
    for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) {
      yield chunk;
      // Node reads up to 2 MiB of a full pipe in one task: signals and other threads would wait for all their lines.
      await nextTask();
    }
  } catch (error) {
    throw readFailure('stdin', error);
  }
}
