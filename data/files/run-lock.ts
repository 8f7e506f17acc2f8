import { link, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { removeStaleTemporaries, temporaryPath, writeFailure } from './atomic-file.js';
import { DataError, systemErrorCode } from '../data-error.js';
import { isRunning, ownIdentity, type ProcessIdentity } from './process-identity.js';
import { readTextIfThere } from './file-reading.js';

/** Takeovers lost to other processes before giving up; each means that another process came first. */
const MAX_ATTEMPTS = 10;

const LOCK_FILE = /^run-(?<number>\d+)\.lock$/;

/** What tells the folder of a run from others that are locked. */
const RUN_FILE = 'run.json';

const Holder = z.object({
  pid: z.int().positive(),
  startTime: z.string().nullable(),
  boot: z.string().nullable(),
  host: z.string(),
});

/** A run folder that this process owns. */
export interface RunLock {
  /** Gives the folder back. Calling it twice does nothing more. */
  release(): Promise<void>;
}

/** Null where the file is gone meanwhile. */
async function readHolder(path: string): Promise<ProcessIdentity | null> {
  const text = await readTextIfThere(path);
  if (text === null) return null;
  try {
    return Holder.parse(JSON.parse(text));
  } catch (error) {
    throw new DataError('run-locked', `${path} is not a lock of this program: remove it to go on`, {
      cause: error,
    });
  }
}

/**
 * The lock files in `folder`, all of processes that have ended.
 *
 * Throws `DataError` `run-locked` where one is of a process that runs.
 *
 * @param own the name of a lock file to pass over.
 */
async function deadLocks(folder: string, own?: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => LOCK_FILE.test(name) && name !== own);
  for (const name of names) {
    const holder = await readHolder(join(folder, name));
    if (holder === null || !isRunning(holder)) continue;
    // Of another host, or where the system does not tell when a process started, it may have ended.
    const isCertain = holder.host === ownIdentity().host && holder.startTime !== null;
    const advice = isCertain ? '' : `; if it has ended, remove ${join(folder, name)}`;
    throw new DataError(
      'run-locked',
      `${folder} is in use by process ${holder.pid} on ${holder.host}${advice}`,
    );
  }
  return names;
}

/** Whether a run folder has a lock: of a process that runs, or that was killed. */
export async function isLockHere(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.some((name) => LOCK_FILE.test(name));
}

/** The path without symbolic links, as far as it is there. */
async function realPathOf(path: string): Promise<string> {
  const real = await realpath(path).catch(() => null);
  if (real !== null || dirname(path) === path) return real ?? path;
  return join(await realPathOf(dirname(path)), basename(path));
}

/**
 * Refuses a folder inside that of a run which a process owns: what is written there would be taken for a part of the run.
 *
 * Throws `DataError` `run-locked` naming the process.
 *
 * @param folder to be written to; need not be there. Its own lock does not count.
 */
export async function expectNoRunAbove(folder: string): Promise<void> {
  let above = dirname(await realPathOf(resolve(folder)));
  for (;;) {
    // What cannot be listed is not a run of this user.
    const names = await readdir(above).catch((): string[] => []);
    if (names.includes(RUN_FILE)) await deadLocks(above);
    if (dirname(above) === above) return;
    above = dirname(above);
  }
}

/** Links `source` to `lock`, which so appears with its content at once; false: that name is taken. */
async function claim(source: string, lock: string): Promise<boolean> {
  try {
    await link(source, lock);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false;
    throw writeFailure(lock, error);
  }
}

/** Tries the number after the highest one there; null: another process was faster. */
async function tryToLock(folder: string, source: string): Promise<string | null> {
  const numbers = (await deadLocks(folder)).map((name) => Number(LOCK_FILE.exec(name)!.groups!['number']));
  const name = `run-${String(Math.max(0, ...numbers) + 1)}.lock`;
  const lock = join(folder, name);
  if (!(await claim(source, lock))) return null;
  try {
    // Of two processes with different numbers the later one to claim sees the other here.
    for (const dead of await deadLocks(folder, name)) await rm(join(folder, dead), { force: true });
    return lock;
  } catch (error) {
    await rm(lock, { force: true });
    throw error;
  }
}

/**
 * Makes this process the owner of a run folder, by a file `run-NUMBER.lock` in it. The lock of a process
 * that has ended, killed or not, does not count, even when its process number is in use again.
 *
 * Throws `DataError` `run-locked` naming the process that owns the folder, or `write-failed`, `disk-full`.
 */
export async function lockRun(folder: string): Promise<RunLock> {
  const source = temporaryPath(join(folder, 'run.lock'));
  try {
    await removeStaleTemporaries(folder, 'run.lock');
    await writeFile(source, `${JSON.stringify(ownIdentity())}\n`);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const lock = await tryToLock(folder, source);
      if (lock !== null) return heldLock(lock);
    }
    throw new DataError('run-locked', `${folder} is being claimed by other processes`);
  } catch (error) {
    throw writeFailure(join(folder, 'run.lock'), error);
  } finally {
    await rm(source, { force: true });
  }
}

function heldLock(lock: string): RunLock {
  let held = true;
  return {
    release: async () => {
      if (held) await rm(lock, { force: true });
      held = false;
    },
  };
}
