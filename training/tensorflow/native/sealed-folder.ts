import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { syncFolder } from '../../../data/files/atomic-file.js';
import { DataError } from '../../../data/data-error.js';
import { openInput } from '../../../data/files/input-file.js';
import { type JsonForm, readJsonFile } from '../../../data/files/json-file.js';
import { expectTrusted, expectTrustedPaths, WRITABLE_BY_OTHERS } from './cache-trust.js';

/** The file of a sealed folder that lists the others; it is written last. */
const SEAL_NAME = 'seal.json';

/** Prefix of the names of unfinished folders. */
const PARTIAL_PREFIX = 'partial-';

/** A path that stays inside the sealed folder. */
const PathInside = z.string().refine((name) => !isAbsolute(name) && !normalize(name).startsWith('..'));

const Seal = z.strictObject({
  /** Sizes and checksums by path in the folder. */
  files: z.record(PathInside, z.strictObject({ bytes: z.int().min(0), sha256: z.string() })),
});
type Seal = z.infer<typeof Seal>;

const SEAL_FORM: JsonForm<Seal> = {
  schema: Seal,
  name: 'a list of files',
  seal: null,
  error: (message, cause) => new DataError('manifest-damaged', message, { cause }),
};

/** Depth of a check of a sealed folder: `sizes` takes milliseconds, `contents` takes seconds per gigabyte. */
export type SealCheck = 'sizes' | 'contents';

async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  const { handle } = await openInput(path, 'library');
  await pipeline(handle.createReadStream({ highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).sort();
}

async function readSeal(folder: string): Promise<Seal | null> {
  try {
    return await readJsonFile(join(folder, SEAL_NAME), 'seal', SEAL_FORM);
  } catch (error) {
    // A truncated, altered or missing file: the folder is not sealed.
    if (error instanceof DataError && ['manifest-damaged', 'file-missing'].includes(error.code)) return null;
    throw error;
  }
}

/** Whether a file has the size that the seal lists and, with `contents`, the checksum. */
async function isAsSealed(path: string, expected: Seal['files'][string], check: SealCheck): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (found === null) return false;
  expectTrusted(path, found);
  if (!found.isFile() || found.size !== expected.bytes) return false;
  return check === 'sizes' || (await sha256OfFile(path)) === expected.sha256;
}

/**
 * Whether the folder exists and every file is unchanged since the folder was made. The seal detects accidents; owners
 * and modes, which are checked before any content, keep other users out.
 *
 * @param options `needed` are files that the seal must list.
 * @throws TrainingError `cache-untrusted` if other users can change the folder or one of its files.
 */
export async function isSealed(
  folder: string,
  { check, needed }: { readonly check: SealCheck; readonly needed: readonly string[] },
): Promise<boolean> {
  expectTrustedPaths([folder, join(folder, SEAL_NAME)]);
  const seal = await readSeal(folder);
  if (seal === null) return false;
  const names = Object.keys(seal.files);
  if (names.length === 0 || !needed.every((name) => names.includes(name))) return false;
  expectTrustedPaths([...new Set(names.map((name) => dirname(join(folder, name))))]);
  for (const [name, expected] of Object.entries(seal.files)) {
    if (!(await isAsSealed(join(folder, name), expected, check))) return false;
  }
  return true;
}

/** Removes write permissions that a umask may have granted to anybody but the owner. */
async function closeToOthers(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const path of [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))]) {
    await chmod(path, (await stat(path)).mode & 0o7777 & ~WRITABLE_BY_OTHERS);
  }
}

async function seal(folder: string): Promise<void> {
  const files: Seal['files'] = {};
  for (const name of await filesIn(folder)) {
    const path = join(folder, name);
    const handle = await open(path, 'r');
    try {
      await handle.sync();
      files[name] = { bytes: (await handle.stat()).size, sha256: await sha256OfFile(path) };
    } finally {
      await handle.close();
    }
  }
  const content: Seal = { files };
  await writeFile(join(folder, SEAL_NAME), `${JSON.stringify(content, undefined, 2)}\n`, { flush: true });
  await closeToOthers(folder);
}

/** Removes unfinished folders of killed processes from `parent`. The caller holds the lock of `parent`. */
export async function removePartialFolders(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (name.startsWith(PARTIAL_PREFIX)) await rm(join(parent, name), { recursive: true, force: true });
  }
}

/**
 * Makes a folder atomically: `fill` writes into an empty folder beside it, which is then synced, sealed and renamed. An
 * existing folder of that name is replaced.
 *
 * @param fill receives the folder to fill and a scratch folder on the same disk; both are removed if it throws.
 */
export async function makeSealedFolder(
  folder: string,
  fill: (content: string, scratch: string) => Promise<void>,
): Promise<void> {
  const parent = dirname(folder);
  await mkdir(parent, { recursive: true });
  const partial = await mkdtemp(join(parent, `${PARTIAL_PREFIX}${basename(folder)}-`));
  const content = join(partial, 'content');
  const scratch = join(partial, 'scratch');
  try {
    await mkdir(content);
    await mkdir(scratch);
    await fill(content, scratch);
    await rm(scratch, { recursive: true });
    await seal(content);
    await rm(folder, { recursive: true, force: true });
    await rename(content, folder);
    await syncFolder(parent);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** Total size in bytes of the files in a folder, links not followed; 0 if it does not exist. */
export async function folderBytes(folder: string): Promise<number> {
  const files = await filesIn(folder).catch(() => []);
  let bytes = 0;
  for (const name of files) bytes += (await stat(join(folder, name)).catch(() => null))?.size ?? 0;
  return bytes;
}
