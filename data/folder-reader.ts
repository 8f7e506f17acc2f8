import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { DataError, readFailure, systemErrorCode } from './data-error.js';

/**
 * Whether a path is that of a folder, not of a file.
 *
 * @throws DataError `file-missing`, `file-unreadable`.
 */
export async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: unknown) => {
    throw readFailure(path, error);
  });
  return found.isDirectory();
}

/**
 * The names of all files and folders in a folder, in no order.
 *
 * @throws DataError `file-missing`, `file-unreadable`.
 */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: unknown) => {
    throw readFailure(folder, error);
  });
}

/**
 * As `namesIn`; no names if there is no such folder.
 *
 * @throws DataError `file-unreadable`.
 */
export async function namesIfThere(folder: string): Promise<readonly string[]> {
  return namesIn(folder).catch((error: unknown) => {
    if (error instanceof DataError && error.code === 'file-missing') return [];
    throw error;
  });
}

/** The content of a folder without hidden files, whose names begin with a dot. */
export interface FolderContent {
  /** Names of files, sorted. A symbolic link counts as what it leads to. */
  readonly files: readonly string[];
  /** Names of folders, likewise. */
  readonly folders: readonly string[];
  /** Errors of symbolic links that lead nowhere or to a folder above them, by path. */
  readonly badLinks: ReadonlyMap<string, DataError>;
}

/**
 * Whether a symbolic link leads to a folder.
 *
 * @param folder the real path of the folder that contains it.
 * @throws DataError `file-missing`; `file-unreadable` also for a link to a folder that contains it.
 */
async function leadsToFolder(link: string, folder: string): Promise<boolean> {
  let target: string;
  try {
    target = await realpath(link);
    if (!(await stat(target)).isDirectory()) return false;
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw readFailure(link, error);
    const message = `expected a file or a folder behind the symbolic link ${link}, found none`;
    throw new DataError('file-missing', message, { cause: error });
  }
  if (!`${folder}${sep}`.startsWith(target.endsWith(sep) ? target : `${target}${sep}`)) return true;
  const message = `cannot read ${link}: the symbolic link leads to ${target}, which contains it`;
  throw new DataError('file-unreadable', message);
}

/** Reads folders within folders, following symbolic links, each folder once whatever links lead to it. */
export class FolderReader {
  /** Real paths of the folders that were read. */
  private readonly done = new Set<string>();

  /**
   * The content of a folder; null if it was read before.
   *
   * @throws DataError `file-missing`, `file-unreadable`.
   */
  async read(folder: string): Promise<FolderContent | null> {
    const real = await realpath(folder).catch((error: unknown) => {
      throw readFailure(folder, error);
    });
    if (this.done.has(real)) return null;
    this.done.add(real);
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      throw readFailure(folder, error);
    });
    const files: string[] = [];
    const folders: string[] = [];
    const badLinks = new Map<string, DataError>();
    for (const entry of entries.filter(({ name }) => !name.startsWith('.'))) {
      const { name } = entry;
      const path = join(folder, name);
      try {
        const isFolder = entry.isSymbolicLink() ? await leadsToFolder(path, real) : entry.isDirectory();
        (isFolder ? folders : files).push(name);
      } catch (error) {
        if (!(error instanceof DataError)) throw error;
        badLinks.set(path, error);
      }
    }
    return { files: files.sort(), folders: folders.sort(), badLinks };
  }
}
