import { link, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { removeStaleTemporaries, temporaryPath, writeFailure } from './atomic-file.js';
import { DataError, systemErrorCode } from '../data-error.js';
import { isRunning, ownIdentity, type ProcessIdentity } from './process-identity.js';
import { type JsonForm, readJsonFile } from './json-file.js';

/** Attempts before giving up; an attempt fails if another process was faster. */
const MAX_ATTEMPTS = 10;

const LOCK_FILE = /^run-(?<number>\d+)\.lock$/;

/** Whether a file name is that of a lock. */
export function isRunLock(name: string): boolean {
  return LOCK_FILE.test(name);
}

const Holder = z.object({
  pid: z.int().positive(),
  startTime: z.string().nullable(),
  boot: z.string().nullable(),
  host: z.string(),
});

/** A run folder that this process owns. */
export interface RunLock {
  /** Releases the folder. Further calls do nothing. */
  release(): Promise<void>;
}

/** The process of a lock file; null if the file has disappeared. */
async function readHolder(path: string): Promise<ProcessIdentity | null> {
  const form: JsonForm<ProcessIdentity> = {
    schema: Holder,
    name: 'a lock',
    seal: null,
    error: (message, cause) => new DataError('run-locked', `${message}; remove it to continue`, { cause }),
  };
  return readJsonFile(path, 'lock', form);
}

/**
 * The lock files in `folder`, all of processes that have ended.
 *
 * @param own name of a lock file to ignore.
 * @throws DataError `run-locked` if a lock belongs to a running process.
 */
async function deadLocks(folder: string, own?: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => isRunLock(name) && name !== own);
  for (const name of names) {
    const holder = await readHolder(join(folder, name));
    if (holder === null || !isRunning(holder)) continue;
    // A process of another host, or with an unknown start time, may have ended.
    const isCertain = holder.host === ownIdentity().host && holder.startTime !== null;
    const advice = isCertain ? '' : `; if it has ended, remove ${join(folder, name)}`;
    throw new DataError(
      'run-locked',
      `${folder} is in use by process ${holder.pid} on ${holder.host}${advice}`,
    );
  }
  return names;
}

/** Whether a run folder has a lock, of a running process or of a killed one. */
export async function isLockHere(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.some(isRunLock);
}

/**
 * Checks that no process owns a run folder.
 *
 * @throws DataError `run-locked`, with the process.
 */
export async function expectUnlocked(folder: string): Promise<void> {
  await deadLocks(folder);
}

/** Links `source` to `lock`, so that the lock appears together with its content; false if the name is taken. */
async function claim(source: string, lock: string): Promise<boolean> {
  try {
    await link(source, lock);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false;
    throw writeFailure(lock, error);
  }
}

/** Tries to claim the number after the highest existing one; null if another process was faster. */
async function tryToLock(folder: string, source: string): Promise<string | null> {
  const numbers = (await deadLocks(folder)).map((name) => Number(LOCK_FILE.exec(name)!.groups!['number']));
  const name = `run-${String(Math.max(0, ...numbers) + 1)}.lock`;
  const lock = join(folder, name);
  if (!(await claim(source, lock))) return null;
  try {
    // Of two processes that claim different numbers, the later one finds the other here.
    for (const dead of await deadLocks(folder, name)) await rm(join(folder, dead), { force: true });
    return lock;
  } catch (error) {
    await rm(lock, { force: true });
    throw error;
  }
}

/**
 * Makes this process the owner of a run folder, by a file `run-NUMBER.lock` in it. Locks of processes that have ended,
 * killed or not, are ignored, even if their process number is in use again.
 *
 * @throws DataError `run-locked`, with the process that owns the folder; `write-failed`, `disk-full`.
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
