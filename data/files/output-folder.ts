import { access, constants, lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { DataError, systemErrorCode } from '../data-error.js';
import { isShardName } from '../arrow-names.js';
import { exists, expectReplaceable, makeFolder, writeFailure } from './atomic-file.js';
import { openInput } from './input-file.js';
import { expectUnlocked, type Lock, lockFile } from './lock.js';

/** Kinds of folders that this program writes. */
export type FolderKind =
  'run' | 'checkpoint' | 'exported model' | 'pattern network' | 'dataset' | 'match' | 'ladder' | 'pool';

/**
 * The file that marks a folder of each kind, and a text near its beginning. Other programs use some of these
 * names, too.
 */
const MARKS: Readonly<Record<FolderKind, { readonly file: string; readonly text: RegExp }>> = {
  run: { file: 'run.json', text: /"runVersion":/ },
  checkpoint: { file: 'manifest.json', text: /"kind":\s*"checkpoint"/ },
  'pattern network': { file: 'manifest.json', text: /"kind":\s*"pattern-network"/ },
  'exported model': { file: 'spec.json', text: /"specVersion":/ },
  dataset: { file: 'dataset.json', text: /"datasetVersion":/ },
  match: { file: 'match.json', text: /"opponent":/ },
  ladder: { file: 'ladder.json', text: /"ladderVersion":/ },
  pool: { file: 'pool.json', text: /"membersVersion":/ },
};
const KINDS = Object.keys(MARKS) as FolderKind[];
const HEAD_BYTES = 4096;

/** The first bytes of a file as text; empty if it cannot be read. */
async function headOf(path: string): Promise<string> {
  const input = await openInput(path, 'manifest').catch(() => null);
  if (input === null) return '';
  const { handle } = input;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The kind of a folder of this program; null for any other folder, and for one that cannot be listed. */
export async function folderKindOf(folder: string): Promise<FolderKind | null> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name));
  for (const kind of KINDS) {
    const { file, text } = MARKS[kind];
    if (names.has(file) && text.test(await headOf(join(folder, file)))) return kind;
  }
  // A damaged one; a file of this name alone may be a configuration.
  if (names.has(MARKS.run.file) && entries.some(({ name }) => name === 'checkpoints')) return 'run';
  // Self-play writes shards without a manifest of the folder.
  return [...names].some(isShardName) ? 'dataset' : null;
}

const withArticle = (kind: FolderKind): string => `${kind === 'exported model' ? 'an' : 'a'} ${kind}`;

/**
 * A text for the content of a path, for messages that expected another folder: `a run`, `an exported model`; `nothing`
 * if it does not exist.
 *
 * @param otherwise what any other folder is or lacks.
 */
export async function describeFound(folder: string, otherwise: string): Promise<string> {
  const kind = await folderKindOf(folder);
  if (kind !== null) return withArticle(kind);
  return (await exists(folder)) ? otherwise : 'nothing';
}

/** The path with symbolic links resolved, as far as it exists. `..` is the parent of the folder that a link leads to. */
async function realPathOf(path: string): Promise<string> {
  const real = await realpath(path).catch(() => null);
  if (real !== null || dirname(path) === path) return real ?? path;
  return join(await realPathOf(dirname(path)), basename(path));
}

/**
 * The real path of an output. Paths to write are joined as text, so that `link/..` cancels out; the system
 * instead resolves the link and goes to the parent of its target.
 *
 * @throws DataError `output-misplaced` if the two differ.
 */
async function placeOf(path: string): Promise<string> {
  const place = await realPathOf(resolve(path));
  const meant = await realPathOf(path);
  if (place === resolve(meant)) return place;
  throw new DataError(
    'output-misplaced',
    `expected a path without '..' after a symbolic link, found ${path}: name ${meant} instead`,
  );
}

/**
 * Refuses a symbolic link that leads nowhere: no folder can be made in its place.
 *
 * @throws DataError `write-failed`.
 */
async function expectNoLink(path: string, place: string): Promise<void> {
  const found = await lstat(place).catch(() => null);
  if (found?.isSymbolicLink() !== true) return;
  throw new DataError(
    'write-failed',
    `cannot write ${path}: expected a folder or nothing at ${place}, found a symbolic link that leads nowhere`,
  );
}

/**
 * Refuses an output that cannot be written: something other than a regular file is in a file's place, or the
 * nearest existing path at or above the folder is not a folder or is closed to this user.
 *
 * @throws DataError `write-failed`.
 */
async function expectWritable(path: string, kind: 'file' | 'folder'): Promise<void> {
  if (kind === 'file') await expectReplaceable(path);
  for (let place = resolve(kind === 'file' ? dirname(path) : path); ; place = dirname(place)) {
    try {
      if (!(await stat(place)).isDirectory()) {
        throw new DataError(
          'write-failed',
          `cannot write ${path}: expected a folder at ${place}, found a file`,
        );
      }
      await access(place, constants.W_OK | constants.X_OK);
      return;
    } catch (error) {
      if (systemErrorCode(error) !== 'ENOENT') throw writeFailure(path, error);
      await expectNoLink(path, place);
    }
  }
}

/**
 * Refuses a path at which no file can be written.
 *
 * @throws DataError `write-failed`, `output-misplaced` as `placeOf`.
 */
export async function expectRoomForFile(path: string): Promise<void> {
  await placeOf(path);
  await expectWritable(path, 'file');
}

/**
 * Refuses an output in a folder that this program wrote for something else: a run, a checkpoint, an exported model, a
 * dataset, a match, a ladder or a pool would read the new files as parts of it. Call it before long work.
 *
 * @param path of the folder or file to write, which need not exist.
 * @param own the kind of the new folder: an existing folder of this kind may be written again. Null for a file.
 * @throws DataError `run-locked`, with the process, in the folder of a running run; otherwise `output-misplaced`;
 *   `write-failed` if nothing can be written there.
 */
export async function expectPlaceForOutput(path: string, own: FolderKind | null): Promise<void> {
  const real = await placeOf(path);
  for (let folder = real; ; folder = dirname(folder)) {
    const kind = await folderKindOf(folder);
    if (kind !== null && !(folder === real && kind === own)) {
      if (kind === 'run') await expectUnlocked(folder);
      throw new DataError(
        'output-misplaced',
        `expected an output outside of ${folder}, which is ${withArticle(kind)}; got ${path}`,
      );
    }
    if (dirname(folder) === folder) break;
  }
  await expectWritable(path, own === null ? 'file' : 'folder');
}

/**
 * Makes this process the only one that makes the file or folder of a user's path, before long work; makes the missing
 * folders above it.
 *
 * @param expectFree throws if it may not be made; called before anything is written, and again with the lock: the
 *   process that had it before may have made the file or folder.
 * @returns the lock, to release when it is made.
 * @throws DataError `run-locked` if another process is making it; `write-failed`, `disk-full`; errors of `expectFree`.
 */
export async function claimOutput(path: string, expectFree: () => Promise<void>): Promise<Lock> {
  await expectFree();
  const place = resolve(path);
  await makeFolder(dirname(place));
  const lock = await lockFile(place);
  try {
    await expectFree();
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Does `work`, which makes a folder that a user named, as the only process that does.
 *
 * @param expectFree as for `claimOutput`.
 * @throws DataError as `claimOutput`; errors of `work`.
 */
export async function makeOutputFolder<Result>(
  path: string,
  expectFree: () => Promise<void>,
  work: () => Promise<Result>,
): Promise<Result> {
  const lock = await claimOutput(path, expectFree);
  try {
    return await work();
  } finally {
    lock.release();
  }
}
