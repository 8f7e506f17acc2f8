import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const LAUNCHER = join(import.meta.dirname, '..', '..', 'scripts', 'launch.mjs');
const WORDS = [LAUNCHER, 'show', '--game', 'connect-four'];

test('a reader that closes its end, such as head, ends the program silently', async () => {
  const child = spawn(process.execPath, WORDS, { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (text) => (stderr += String(text)));
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(stderr).toBe('');
});

test('a result that cannot be written is an error of one line', async () => {
  const child = spawn(process.execPath, WORDS, { stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'] });
  let stderr = '';
  child.stderr!.on('data', (text) => (stderr += String(text)));
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(stderr).toBe('gess: cannot write the result: ENOSPC\n');
});

test('messages that nobody reads do not end the program', async () => {
  const child = spawn(process.execPath, [LAUNCHER, 'show', '--game', 'none'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr.destroy();
  expect(await once(child, 'close')).toEqual([2, null]);
});
