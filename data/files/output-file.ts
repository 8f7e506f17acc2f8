import { dirname, normalize } from 'node:path';
import { DataError } from '../data-error.js';
import { exists, makeFolder, writeFileAtomic } from './atomic-file.js';
import type { Lock } from './lock.js';
import { claimOutput, expectPlaceForOutput, expectRoomForFile } from './output-folder.js';

/** Files that people look at: no program reads them again, so they may lie in a run. */
const PAGES = /\.(html|svg)$/i;

/**
 * Refuses a path at which a file that a user named cannot be written. Call it before long work, then
 * `writeOutputFile`.
 *
 * @param overwrite whether an existing file may be replaced, unless it is one of the data that this program wrote.
 * @throws DataError `file-exists`; `write-failed` if no file can be made there; `output-misplaced` and `run-locked` as
 *   `expectPlaceForOutput`, except for pages and pictures.
 */
export async function expectPlaceForFile(path: string, overwrite: boolean | undefined): Promise<void> {
  if (overwrite !== true && (await exists(path))) {
    throw new DataError('file-exists', `expected no file at ${path}, found one; --overwrite replaces it`);
  }
  if (PAGES.test(path)) await expectRoomForFile(path);
  else await expectPlaceForOutput(path, null);
}

/**
 * Writes a file that a user named, whole or not at all, and makes the missing folders above it.
 *
 * @param overwrite as for `expectPlaceForFile`: without it, a file that another process has made meanwhile stays.
 * @throws DataError `disk-full`, `write-failed`, `file-exists`.
 */
export async function writeOutputFile(
  path: string,
  content: string | Uint8Array,
  overwrite: boolean | undefined,
): Promise<void> {
  const place = normalize(path);
  await makeFolder(dirname(place));
  await writeFileAtomic(place, content, overwrite === true ? 'replace' : 'new');
}

/**
 * Makes this process the only one that writes a file that a user named, before long work, as `claimOutput`.
 *
 * @param overwrite as for `expectPlaceForFile`.
 * @returns the lock, to release after `writeOutputFile`.
 * @throws DataError as `expectPlaceForFile`; `run-locked` if another process is writing it.
 */
export async function claimOutputFile(path: string, overwrite: boolean | undefined): Promise<Lock> {
  return claimOutput(path, () => expectPlaceForFile(path, overwrite));
}

/** As `claimOutputFile`, for several files; those that are undefined are not written. */
export async function claimOutputFiles(
  paths: readonly (string | undefined)[],
  overwrite: boolean | undefined,
): Promise<Lock> {
  const locks: Lock[] = [];
  const release = (): void => {
    for (const lock of locks) lock.release();
  };
  try {
    for (const path of paths) if (path !== undefined) locks.push(await claimOutputFile(path, overwrite));
    return { release };
  } catch (error) {
    release();
    throw error;
  }
}
