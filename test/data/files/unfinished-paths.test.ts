import { pbkdf2 } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { writeFileAtomic, writeFolderAtomic } from '../../../data/files/atomic-file.js';
import { lockFile, lockFolder } from '../../../data/files/lock.js';
import { removeUnfinished, whileUnfinished } from '../../../data/files/unfinished-paths.js';
import { temporaryFolder } from '../temporary-folder.js';

/** Threads of libuv's pool, which calls of `node:fs/promises` wait for. */
const POOL_THREADS = 4;

function temporariesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.tmp'));
}

/** Keeps the pool's threads busy until `isOver`, so that each call waits for its turn. */
async function keepPoolBusy(isOver: () => boolean): Promise<void> {
  const lane = async (): Promise<void> => {
    while (!isOver()) await promisify(pbkdf2)('a', 'b', 10_000, 16, 'sha512');
  };
  await Promise.all(Array.from({ length: POOL_THREADS }, lane));
}

/** Waits until `isTrue`, one turn of the event loop at a time. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}

test.each(['file', 'folder'])('a temporary %s that is removed does not come back', async (kind) => {
  const folder = temporaryFolder();
  const path = join(folder, 'out');
  let isOver = false;
  const busy = keepPoolBusy(() => isOver);
  const written =
    kind === 'file'
      ? writeFileAtomic(path, 'content')
      : writeFolderAtomic(path, (temporary) => writeFileAtomic(join(temporary, 'part'), 'content'));
  const ended = expect(written).rejects.toMatchObject({ code: 'write-failed' });
  await until(() => temporariesIn(folder).length > 0);
  removeUnfinished();
  expect(temporariesIn(folder)).toEqual([]);
  await ended;
  isOver = true;
  await busy;
  expect(readdirSync(folder)).toEqual([]);
});

test('the lock of an output is removed, that of a folder stays', async () => {
  const folder = temporaryFolder();
  const output = await lockFile(join(folder, 'out'));
  const whole = await lockFolder(folder);
  expect(readdirSync(folder).sort()).toEqual(['.out-1.lock', 'run-1.lock']);
  removeUnfinished();
  expect(readdirSync(folder)).toEqual(['run-1.lock']);
  output.release();
  whole.release();
  expect(readdirSync(folder)).toEqual([]);
});

test('a lock that is released is not removed again: it may be another process’s', async () => {
  const folder = temporaryFolder();
  const lock = await lockFile(join(folder, 'out'));
  lock.release();
  writeFileSync(join(folder, '.out-1.lock'), 'of another');
  removeUnfinished();
  expect(readdirSync(folder)).toEqual(['.out-1.lock']);
});

test('work that fails leaves nothing, and its error is thrown', async () => {
  const path = join(temporaryFolder(), 'temporary');
  const failure = new Error('no more');
  const work = whileUnfinished(path, () => {
    mkdirSync(path);
    return Promise.reject(failure);
  });
  await expect(work).rejects.toBe(failure);
  expect(existsSync(path)).toBe(false);
});
