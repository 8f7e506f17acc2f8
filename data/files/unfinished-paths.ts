import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Temporary files and folders that this process is filling, and its locks beside outputs. */
const unfinished = new Set<string>();

/** Lets `removeUnfinished` remove `path` until the returned function is called. */
export function markUnfinished(path: string): () => void {
  unfinished.add(path);
  return () => void unfinished.delete(path);
}

/** Does `work`, which writes the temporary `path`; meanwhile `removeUnfinished` removes it. */
export async function whileUnfinished<T>(path: string, work: () => Promise<T>): Promise<T> {
  const finish = markUnfinished(path);
  try {
    return await work();
  } finally {
    finish();
  }
}

/** Removes the half-written files and folders of this process, which is about to end, and its locks beside outputs. */
export function removeUnfinished(): void {
  // A write in progress may put a file into a folder that is being emptied.
  for (const path of unfinished)
    rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 10 });
}

/**
 * Does `work` with a new folder among the system's temporary files, and then removes the folder.
 *
 * @param prefix of the folder's name.
 */
export async function withTemporaryFolder<T>(
  prefix: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  return whileUnfinished(folder, async () => {
    try {
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}
