import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { ownIdentity } from '../../../data/files/process-identity.js';
import { lockFolder } from '../../../data/files/lock.js';
import { temporaryFolder } from '../temporary-folder.js';
import { builtModule } from '../../package/built-module.js';

const LOCK_MODULE = builtModule('data/files/lock.js');

test('one process owns a folder until it releases it', async () => {
  const folder = temporaryFolder();
  const lock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toMatchObject({
    code: 'run-locked',
    message: expect.stringContaining(`process ${String(process.pid)} `) as string,
  });
  lock.release();
  expect(await readdir(folder)).toEqual([]);
  (await lockFolder(folder)).release();
});

test('one of many concurrent processes gets the lock', async () => {
  const folder = temporaryFolder();
  const dead = { ...ownIdentity(), startTime: '1' };
  await writeFile(join(folder, 'run-1.lock'), JSON.stringify(dead));
  const settled = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder)));
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await readdir(folder)).toEqual(['run-2.lock']);
});

const JUMPING_CLOCK = pathToFileURL(
  join(import.meta.dirname, '..', '..', 'training', 'whole-runs', 'jumping-clock.mjs'),
).href;

test.each([
  ['', []],
  [', by a clock that jumps by years', [`--import=${JUMPING_CLOCK}`]],
])('a living process keeps its lock, a killed one does not%s', async (_name, options) => {
  const folder = temporaryFolder();
  const program = `
    const { lockFolder } = await import(${JSON.stringify(LOCK_MODULE)});
    await lockFolder(${JSON.stringify(folder)});
    console.log('locked');
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, [...options, '--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error('the other process could not lock'))),
  ]);
  await expect(lockFolder(folder)).rejects.toMatchObject({
    code: 'run-locked',
    message: expect.stringContaining(String(child.pid)) as string,
  });
  // Its apparent age does not matter either.
  for (const year of [1980, 2090]) {
    const time = new Date(Date.UTC(year, 0));
    await utimes(join(folder, 'run-1.lock'), time, time);
    await expect(lockFolder(folder)).rejects.toMatchObject({ code: 'run-locked' });
  }
  child.kill('SIGKILL');
  await once(child, 'exit');
  const lock = await lockFolder(folder);
  expect(JSON.parse(await readFile(join(folder, 'run-2.lock'), 'utf8'))).toMatchObject({ pid: process.pid });
  lock.release();
});

test('a killed process that is still a zombie does not keep the lock', async () => {
  const folder = temporaryFolder();
  // The shell starts a process and never waits for it, so that it stays as a zombie while the shell lives.
  const shell = spawn('bash', ['-c', 'sleep 1000 & echo $!; exec sleep 1000'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    shell.kill('SIGKILL');
  });
  const [text] = (await once(shell.stdout, 'data')) as [Buffer];
  const pid = Number(text.toString());
  const fields = async (): Promise<string[]> =>
    (await readFile(`/proc/${String(pid)}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
  const startTime = (await fields())[19]!;
  await writeFile(join(folder, 'run-1.lock'), JSON.stringify({ ...ownIdentity(), pid, startTime }));
  await expect(lockFolder(folder)).rejects.toMatchObject({ code: 'run-locked' });
  // Until it has become the other program, the shell waits for its children.
  await expect.poll(() => readFile(`/proc/${String(shell.pid)}/comm`, 'utf8')).toBe('sleep\n');
  process.kill(pid, 'SIGKILL');
  await expect.poll(async () => (await fields())[0]).toBe('Z');
  (await lockFolder(folder)).release();
});

test.each([
  ['a number that is in use again', { startTime: '1' }],
  ['another boot', { boot: 'an earlier one' }],
])('the lock of %s is taken over', async (_name, change) => {
  const folder = temporaryFolder();
  await writeFile(join(folder, 'run-1.lock'), JSON.stringify({ ...ownIdentity(), ...change }));
  (await lockFolder(folder)).release();
});

test('the lock of another machine is respected', async () => {
  const folder = temporaryFolder();
  const elsewhere = { ...ownIdentity(), host: 'elsewhere', pid: 2 ** 22 + 1 };
  await writeFile(join(folder, 'run-1.lock'), JSON.stringify(elsewhere));
  await expect(lockFolder(folder)).rejects.toMatchObject({
    code: 'run-locked',
    message: expect.stringContaining('elsewhere') as string,
  });
});

test('an invalid lock file is kept, and reported', async () => {
  const folder = temporaryFolder();
  await writeFile(join(folder, 'run-1.lock'), 'mine');
  await expect(lockFolder(folder)).rejects.toMatchObject({ code: 'run-locked' });
});
