import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../data/temporary-folder.js';

const [PARENT, CHILD] = ['asking-process.mjs', 'answering-process.mjs'].map((name) =>
  join(import.meta.dirname, name),
) as [string, string];

/** Whether a process runs: one that has ended keeps its id until its parent collects its status. */
function exists(pid: number): boolean {
  try {
    return !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Starts a parent whose child never answers. */
async function startFamily(kind: string, value: string) {
  const parent = spawn(process.execPath, [PARENT, CHILD, kind, value], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [text] = (await once(parent.stdout, 'data')) as [Buffer];
  const child = Number(text.toString());
  expect(exists(child)).toBe(true);
  return { parent, child };
}

test.each(['read', 'read-now', 'spin'])(
  'a process that is busy forever (%s) ends with its parent',
  async (kind) => {
    const pipe = join(temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const { parent, child } = await startFamily(kind, pipe);
    parent.kill('SIGKILL');
    await once(parent, 'close');
    await expect.poll(() => exists(child), { timeout: 5000, interval: 50 }).toBe(false);
  },
);

test('a process that was stopped by a signal ends with a parent that exits', async () => {
  const { parent, child } = await startFamily('spin', '');
  process.kill(child, 'SIGSTOP');
  parent.kill('SIGTERM');
  await once(parent, 'close');
  await expect.poll(() => exists(child), { timeout: 5000, interval: 50 }).toBe(false);
});
