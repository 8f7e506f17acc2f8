import { closeSync, mkdirSync, openSync } from 'node:fs';
import { link, lstat, mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CodedError } from '../../env/errors.js';
import { DataError, systemErrorCode } from '../data-error.js';
import { nameOfType } from './input-file.js';
import { isRunning, ownIdentity } from './process-identity.js';
import { sha256 } from './sealed-json.js';
import { whileUnfinished } from './unfinished-paths.js';

/** The system's codes for a lack of space: full disk, quota, maximum file size. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Bytes of a file's name in the name of another file beside it; the system allows 255 for a whole name. */
const MAX_NAME_BYTES = 180;

/** `.NAME.PID-STARTTIME-NUMBER.tmp` */
const TEMPORARY = /^\.(?<name>.+)\.(?<pid>\d+)-(?<startTime>\d*)-\d+\.tmp$/;

let temporariesMade = 0;

/** The name of `path` for the name of another file beside it: a very long one is shortened. */
export function nameBeside(path: string): string {
  const name = basename(path);
  const bytes = Buffer.from(name);
  if (bytes.length <= MAX_NAME_BYTES) return name;
  // A character that is cut through is left out.
  const start = bytes.toString('utf8', 0, MAX_NAME_BYTES - 16).replace(/\ufffd+$/, '');
  return `${start}~${sha256(bytes).slice(0, 15)}`;
}

/** A fresh name beside `path`, which `removeStaleTemporaries` recognizes after this process has ended. */
export function temporaryPath(path: string): string {
  const { pid, startTime } = ownIdentity();
  temporariesMade += 1;
  return join(
    dirname(path),
    `.${nameBeside(path)}.${String(pid)}-${startTime ?? ''}-${String(temporariesMade)}.tmp`,
  );
}

/** The `DataError` of a failed write: `disk-full` or `write-failed`. */
export function writeFailure(path: string, error: unknown): DataError {
  if (error instanceof DataError) return error;
  const code = systemErrorCode(error);
  if (code !== undefined && NO_ROOM.has(code)) {
    return new DataError('disk-full', `no room to write ${path} (${code})`, { cause: error });
  }
  const reason = code ?? String(error);
  return new DataError('write-failed', `cannot write ${path}: ${reason}`, { cause: error });
}

/** Makes renames and removals in `folder` durable across a crash of the machine. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders; its file systems journal renames.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whether `path` is a folder. */
async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Makes a folder, unless it exists. */
async function makeOneFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    if (!(await isFolder(folder))) throw error;
  }
}

/**
 * Makes a folder and its parents, one at a time: Node's recursive `mkdir` does not terminate if the system reports
 * ENOENT for a folder in an existing one, as in /proc, and reports ENOENT for a full disk (`MKDirp` in node_file.cc).
 */
async function makeFolders(folder: string): Promise<void> {
  try {
    await makeOneFolder(folder);
  } catch (error) {
    const parent = dirname(folder);
    if (systemErrorCode(error) !== 'ENOENT' || parent === folder) throw error;
    // Another process may have made the parent meanwhile.
    if (!(await exists(parent))) await makeFolders(parent);
    await makeOneFolder(folder);
  }
}

/**
 * Makes a folder and its missing parents.
 *
 * @throws DataError `write-failed`, `disk-full`.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await makeFolders(folder);
  } catch (error) {
    throw writeFailure(folder, error);
  }
}

/** Writes to a file and makes the content durable across a crash of the machine. */
export async function writeAndSync(
  path: string,
  content: string | Uint8Array,
  mode: 'append' | 'existing',
): Promise<void> {
  const handle = await open(path, mode === 'append' ? 'a' : 'r+');
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Removes the temporaries of processes that no longer run from `folder`, but not from its subfolders.
 *
 * @param name of the file whose temporaries are removed, by `nameBeside`. Defaults to all files.
 */
export async function removeStaleTemporaries(folder: string, name?: string): Promise<void> {
  const { boot, host } = ownIdentity();
  for (const entry of await readdir(folder)) {
    const groups = TEMPORARY.exec(entry)?.groups;
    if (groups === undefined || (name !== undefined && groups['name'] !== name)) continue;
    const startTime = groups['startTime'] === '' ? null : groups['startTime']!;
    if (!isRunning({ pid: Number(groups['pid']), startTime, boot, host })) {
      await rm(join(folder, entry), { recursive: true, force: true });
    }
  }
}

/**
 * Refuses to replace anything but a regular file: a rename would put a regular file in the place of a device such as
 * /dev/null, a pipe, or a link such as /dev/stdout.
 *
 * @throws DataError `write-failed`.
 */
export async function expectReplaceable(path: string): Promise<void> {
  const found = await lstat(path).catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return null;
    throw writeFailure(path, error);
  });
  if (found === null || found.isFile()) return;
  const message = `cannot write ${path}: expected a regular file there, or none, found ${nameOfType(found)}`;
  throw new DataError('write-failed', message);
}

function madeMeanwhile(path: string, cause: unknown): DataError {
  const message = `expected nothing at ${path}, found what another process has written meanwhile`;
  return new DataError('file-exists', message, { cause });
}

/** Gives a finished file its name, unless another process has made a file of that name meanwhile. */
async function linkToNew(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
    await unlink(temporary);
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') throw madeMeanwhile(path, error);
    // A file system without hard links, such as that of a memory card.
    await rename(temporary, path);
  }
}

/**
 * Writes a whole file or nothing: to a temporary beside it, which is synced and renamed; then syncs the folder, which
 * must exist. On failure an existing file is unchanged and no temporary remains. Of several processes that write the
 * same file at once, the last one wins, or the first one if they write a new file.
 *
 * @param mode whether an existing file is replaced.
 * @throws DataError `disk-full`, `write-failed`; `file-exists` for a new file that exists.
 */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  mode: 'replace' | 'new' = 'replace',
): Promise<void> {
  await expectReplaceable(path);
  const temporary = temporaryPath(path);
  try {
    await removeStaleTemporaries(dirname(path), nameBeside(path));
    await whileUnfinished(temporary, async () => {
      // Made at once and only opened later: an `open` in progress would make it after `removeUnfinished`.
      closeSync(openSync(temporary, 'wx'));
      await writeAndSync(temporary, content, 'existing');
      await (mode === 'new' ? linkToNew : rename)(temporary, path);
    });
    await syncFolder(dirname(path));
  } catch (error) {
    throw writeFailure(path, error);
  }
}

/** Renames a finished folder, unless another process has made one of the same name meanwhile. */
async function renameToNew(temporary: string, folder: string): Promise<void> {
  try {
    await rename(temporary, folder);
  } catch (cause) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(systemErrorCode(cause) ?? '')) throw cause;
    throw madeMeanwhile(folder, cause);
  }
}

/**
 * Fills a temporary folder by `write` and renames it to `folder`, so that the folder appears whole or not at all.
 *
 * @throws DataError `disk-full`, `write-failed`, `file-exists` if another process made it meanwhile; any other error of
 *   `write`.
 */
export async function writeFolderAtomic(
  folder: string,
  write: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = temporaryPath(folder);
  try {
    await whileUnfinished(temporary, async () => {
      await makeFolders(dirname(temporary));
      // At once, as in `writeFileAtomic`.
      mkdirSync(temporary);
      await removeStaleTemporaries(dirname(folder), nameBeside(folder));
      await write(temporary);
      await syncFolder(temporary);
      await renameToNew(temporary, folder);
    });
    await syncFolder(dirname(folder));
  } catch (error) {
    if (error instanceof CodedError || systemErrorCode(error) === undefined) throw error;
    throw writeFailure(folder, error);
  }
}

/**
 * Removes a file, if it exists, so that it stays removed after a crash of the machine.
 *
 * @throws DataError `write-failed`, `disk-full`.
 */
export async function removeFile(path: string): Promise<void> {
  try {
    await unlink(path);
    await syncFolder(dirname(path));
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw writeFailure(path, error);
  }
}

/**
 * Removes a folder and its content, if it exists. A process killed meanwhile leaves the whole folder, or a temporary.
 *
 * @throws DataError `write-failed`, `disk-full`.
 */
export async function removeFolderAtomic(folder: string): Promise<void> {
  const temporary = temporaryPath(folder);
  try {
    await rename(folder, temporary);
    await syncFolder(dirname(folder));
    await rm(temporary, { recursive: true, force: true });
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw writeFailure(folder, error);
  }
}

/** Whether `path` exists. */
export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
