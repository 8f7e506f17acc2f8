import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Temporary files and folders that this process is filling, and its locks beside outputs. */
const unfinished = new Set<string>();

/** Lets `removeUnfinished` remove `path` until the returned function is called. */
export function markUnfinished(path: string): () => void {
  unfinished.add(path);
  return () => void unfinished.delete(path);
}

/**
 * Does `work`, which writes the temporary `path` and may give it another name. Whatever is at `path` is removed at the
 * end, and by `removeUnfinished` until then. Errors are those of `work`, not of the removal.
 */
export async function whileUnfinished<T>(path: string, work: () => Promise<T>): Promise<T> {
  const finish = markUnfinished(path);
  try {
    return await work();
  } finally {
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
    finish();
  }
}

const ATTEMPTS = 3;

/** Removes `path`, if the system lets it. */
function removeAtLast(path: string): void {
  // A write in progress may put a file into a folder that is being emptied, which then cannot be removed.
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      rmSync(path, { recursive: true, force: true });
      return;
    } catch {
      continue;
    }
  }
}

/**
 * Removes the half-written files and folders of this process, which is ending, and its locks beside outputs: these
 * last, as they are the oldest. Never throws.
 */
export function removeUnfinished(): void {
  for (const path of [...unfinished].reverse()) removeAtLast(path);
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
  // Synchronous, so that no signal comes before the folder is known.
  const folder = mkdtempSync(join(tmpdir(), prefix));
  return whileUnfinished(folder, () => work(folder));
}
