import { access, constants, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { DataError, systemErrorCode } from '../data-error.js';
import { exists, expectReplaceable, writeFailure } from './atomic-file.js';
import { openInput } from './input-file.js';
import { expectUnlocked } from './run-lock.js';

/** Kinds of folders that this program writes. */
type FolderKind =
  'run' | 'checkpoint' | 'exported model' | 'pattern network' | 'dataset' | 'match' | 'ladder';

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
async function kindOf(folder: string): Promise<FolderKind | null> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name));
  for (const kind of KINDS) {
    const { file, text } = MARKS[kind];
    if (names.has(file) && text.test(await headOf(join(folder, file)))) return kind;
  }
  // A damaged one; a file of this name alone may be a configuration.
  const isRun = names.has(MARKS.run.file) && entries.some(({ name }) => name === 'checkpoints');
  return isRun ? 'run' : null;
}

/** The path with symbolic links resolved, as far as it exists. */
async function realPathOf(path: string): Promise<string> {
  const real = await realpath(path).catch(() => null);
  if (real !== null || dirname(path) === path) return real ?? path;
  return join(await realPathOf(dirname(path)), basename(path));
}

/**
 * Refuses an output in a folder that this program wrote for something else: a run, a checkpoint, an exported model, a
 * dataset, a match or a ladder would read the new files as parts of it.
 *
 * @param path of the folder to write, which need not exist.
 * @param own the kind of the new folder: an existing folder of this kind may be written again. Null for a file.
 * @throws DataError `run-locked`, with the process, in the folder of a running run; otherwise `output-misplaced`.
 */
export async function expectPlaceForOutput(path: string, own: FolderKind | null): Promise<void> {
  const real = await realPathOf(resolve(path));
  for (let folder = real; ; folder = dirname(folder)) {
    const kind = await kindOf(folder);
    if (kind !== null && !(folder === real && kind === own)) {
      if (kind === 'run') await expectUnlocked(folder);
      throw new DataError(
        'output-misplaced',
        `expected a place for the output outside of other data, but ${folder} is ${kind === 'exported model' ? 'an' : 'a'} ${kind}: choose another place than ${path}`,
      );
    }
    if (dirname(folder) === folder) return;
  }
}

/** Files that people look at: no program reads them again. */
const PAGES = /\.(html|svg)$/i;

/**
 * Refuses a path at which no file can be made: a link or a name that is too long, or if the nearest folder above it that
 * exists is none, or is closed to this user.
 *
 * @throws DataError `write-failed`.
 */
async function expectRoomForFile(path: string): Promise<void> {
  await expectReplaceable(path);
  for (let place = resolve(path); ; place = dirname(place)) {
    try {
      await access(place, constants.W_OK | constants.X_OK);
      return;
    } catch (error) {
      if (systemErrorCode(error) !== 'ENOENT') throw writeFailure(path, error);
    }
  }
}

/**
 * Refuses to replace a file that a user named as an output, and with `overwrite` one of the data that this program
 * wrote. Call it before long work, then `writeFileAtomic`.
 *
 * @throws DataError `write-failed` if no file can be made there; `file-exists`; with `overwrite` instead `write-failed` if
 *   it is no regular file, `output-misplaced` and `run-locked` as `expectPlaceForOutput`, except for pages and pictures.
 */
export async function expectNoFile(path: string, overwrite: boolean | undefined): Promise<void> {
  if (!(await exists(path))) return expectRoomForFile(path);
  if (overwrite !== true) {
    throw new DataError(
      'file-exists',
      `expected no file at ${path}: it would be replaced; --overwrite allows this`,
    );
  }
  await expectReplaceable(path);
  if (!PAGES.test(path)) await expectPlaceForOutput(path, null);
}
