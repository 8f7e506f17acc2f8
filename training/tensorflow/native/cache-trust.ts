import { type Stats, statSync } from 'node:fs';
import { DataError, systemErrorCode } from '../../../data/data-error.js';
import { TrainingError } from '../../training-error.js';

/** Mode bits with which the group or everybody may write. */
export const WRITABLE_BY_OTHERS = 0o022;

/** Error codes for a folder that cannot be written; `mkdir` on a read-only file system may report ENOENT. */
const UNWRITABLE = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOENT', 'ENOTDIR']);

/** How another user could change a file or folder; null if only this user and root can. */
function distrustOf({ uid, mode }: Stats): string | null {
  // Windows has no user ids.
  const self = process.getuid?.();
  if (self === undefined) return null;
  if (uid !== self && uid !== 0) return `is owned by user ${uid}`;
  return (mode & WRITABLE_BY_OTHERS) === 0
    ? null
    : `is writable by others (mode ${(mode & 0o777).toString(8)})`;
}

/**
 * Checks that only this user and root can change a file or folder of the set-up cache, whose code runs in this process.
 * Folders above the cache are not checked.
 *
 * @param status of the file or folder.
 * @throws TrainingError `cache-untrusted`.
 */
export function expectTrusted(path: string, status: Stats): void {
  const distrust = distrustOf(status);
  if (distrust === null) return;
  throw new TrainingError(
    'cache-untrusted',
    `expected only you or root to be able to change the set-up cache, but ${path} ${distrust}. Remove it and run ` +
      '`npx gess setup`, or name another folder in GESS_CACHE',
  );
}

/**
 * Checks paths of the set-up cache with `expectTrusted`; paths that do not exist are skipped.
 *
 * @throws TrainingError `cache-untrusted`.
 */
export function expectTrustedPaths(paths: readonly string[]): void {
  for (const path of paths) {
    const status = statSync(path, { throwIfNoEntry: false });
    if (status !== undefined) expectTrusted(path, status);
  }
}

/**
 * Adds advice to an error about writing to the set-up cache; returns other errors unchanged.
 *
 * @param error of the system, or a `DataError` whose cause is one.
 */
export function cacheWriteFailure(cache: string, error: unknown): unknown {
  const cause = error instanceof DataError ? error.cause : error;
  const code = systemErrorCode(cause);
  if (code === undefined || !UNWRITABLE.has(code)) return error;
  return new TrainingError(
    'cache-read-only',
    `cannot write to the set-up cache ${cache} (${code}): make it writable, or name another folder in GESS_CACHE`,
    { cause: error },
  );
}
