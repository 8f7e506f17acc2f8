import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { nameBeside, removeStaleTemporaries, temporaryPath, writeFailure } from './atomic-file.js';
import { DataError, systemErrorCode } from '../data-error.js';
import { isRunning, ownIdentity, type ProcessIdentity } from './process-identity.js';
import { type JsonForm, readJsonFile } from './json-file.js';
import { markUnfinished, whileUnfinished } from './unfinished-paths.js';

/** Attempts before giving up; an attempt fails if another process was faster. */
const MAX_ATTEMPTS = 10;

/** A folder, or a file in it, that a process can own. */
interface LockedPlace {
  readonly folder: string;
  /** Begins the names of its lock files, which go on with `-NUMBER.lock`. */
  readonly stem: string;
  /** The folder or file, for messages. */
  readonly path: string;
  /** Whether `removeUnfinished` removes its lock. */
  readonly endsWithProcess: boolean;
}

const FOLDER_STEM = 'run';

/** The number in the name of a lock file of a place; null for other files. */
function lockNumber(name: string, stem: string): number | null {
  const rest = name.startsWith(`${stem}-`) ? name.slice(stem.length + 1) : '';
  return /^\d+\.lock$/.test(rest) ? Number.parseInt(rest, 10) : null;
}

/** Whether a file name is that of the lock of a folder. */
export function isFolderLock(name: string): boolean {
  return lockNumber(name, FOLDER_STEM) !== null;
}

const Holder = z.object({
  pid: z.int().positive(),
  startTime: z.string().nullable(),
  boot: z.string().nullable(),
  host: z.string(),
});

/** A folder or file that this process owns. */
export interface Lock {
  /** Releases it. Further calls do nothing. */
  release(): void;
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
 * The lock files of a place, all of processes that have ended.
 *
 * @param own name of a lock file to ignore.
 * @throws DataError `run-locked` if a lock belongs to a running process.
 */
async function deadLocks({ folder, stem, path }: LockedPlace, own?: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => lockNumber(name, stem) !== null && name !== own);
  for (const name of names) {
    const holder = await readHolder(join(folder, name));
    if (holder === null || !isRunning(holder)) continue;
    // A process of another host, or with an unknown start time, may have ended.
    const isCertain = holder.host === ownIdentity().host && holder.startTime !== null;
    const advice = isCertain ? '' : `; if it has ended, remove ${join(folder, name)}`;
    throw new DataError(
      'run-locked',
      `${path} is in use by process ${holder.pid} on ${holder.host}${advice}`,
    );
  }
  return names;
}

function placeOfFolder(folder: string): LockedPlace {
  return { folder, stem: FOLDER_STEM, path: folder, endsWithProcess: false };
}

/** Whether a folder has a lock, of a running process or of a killed one. */
export async function isLockHere(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.some(isFolderLock);
}

/**
 * Checks that no process owns a folder.
 *
 * @throws DataError `run-locked`, with the process.
 */
export async function expectUnlocked(folder: string): Promise<void> {
  await deadLocks(placeOfFolder(folder));
}

/**
 * Links `source` to `lock`, so that the lock appears together with its content; false if the name is taken.
 * Synchronous, so that no signal comes between the link and what the caller does with it.
 */
function claim(source: string, lock: string): boolean {
  try {
    linkSync(source, lock);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false;
    throw writeFailure(lock, error);
  }
}

/** Tries to claim the number after the highest existing one; null if another process was faster. */
async function tryToLock(place: LockedPlace, source: string): Promise<Lock | null> {
  const { folder, stem } = place;
  const numbers = (await deadLocks(place)).map((name) => lockNumber(name, stem)!);
  const name = `${stem}-${String(Math.max(0, ...numbers) + 1)}.lock`;
  const path = join(folder, name);
  if (!claim(source, path)) return null;
  const lock = heldLock(path, place.endsWithProcess ? markUnfinished(path) : () => undefined);
  try {
    // Of two processes that claim different numbers, the later one finds the other here.
    for (const dead of await deadLocks(place, name)) await rm(join(folder, dead), { force: true });
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function lockPlace(place: LockedPlace): Promise<Lock> {
  const { folder, stem, path } = place;
  const name = `${stem}.lock`;
  const source = temporaryPath(join(folder, name));
  return whileUnfinished(source, async () => {
    try {
      await removeStaleTemporaries(folder, name);
      // At once, as in `writeFileAtomic`.
      writeFileSync(source, `${JSON.stringify(ownIdentity())}\n`);
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const lock = await tryToLock(place, source);
        if (lock !== null) return lock;
      }
      throw new DataError('run-locked', `${path} is being claimed by other processes`);
    } catch (error) {
      throw writeFailure(join(folder, name), error);
    }
  });
}

/**
 * Makes this process the owner of a folder, by a file `run-NUMBER.lock` in it. Locks of processes that have ended,
 * killed or not, are ignored, even if their process number is in use again.
 *
 * @throws DataError `run-locked`, with the process that owns the folder; `write-failed`, `disk-full`.
 */
export async function lockFolder(folder: string): Promise<Lock> {
  return lockPlace(placeOfFolder(folder));
}

/**
 * As `lockFolder`, for a file, which need not exist: by a hidden file `.NAME-NUMBER.lock` beside it, which
 * `removeUnfinished` removes. The folder must exist.
 *
 * @throws as `lockFolder`.
 */
export async function lockFile(path: string): Promise<Lock> {
  return lockPlace({ folder: dirname(path), stem: `.${nameBeside(path)}`, path, endsWithProcess: true });
}

/** @param onReleased called once it is released. */
function heldLock(path: string, onReleased: () => void): Lock {
  let held = true;
  return {
    release: () => {
      if (!held) return;
      held = false;
      try {
        // Synchronous, so that no signal comes before `onReleased`: the lock may be another process's by then.
        rmSync(path, { force: true });
      } catch {
        // One that cannot be removed, as its folder was renamed, counts no more when this process has ended.
      }
      onReleased();
    },
  };
}
