import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { LAUNCHER } from '../usage/launcher.js';

/** Runs `gess` with a file or a folder as its stdin. */
function runWith(path: string, flags: string, words: readonly string[]): ReturnType<typeof spawnSync> {
  const stdin = openSync(path, flags);
  onTestFinished(() => {
    closeSync(stdin);
  });
  return spawnSync(process.execPath, [LAUNCHER, ...words], {
    stdio: [stdin, 'pipe', 'pipe'],
    encoding: 'utf8',
  });
}

describe.each([
  'replay --batch',
  'engine',
  'engine --json',
  'env-server',
  'play --game connect-four --opponent greedy',
])('gess %s', (command) => {
  const words = command.split(' ');

  test('refuses a folder as stdin', () => {
    const { status, stderr } = runWith(temporaryFolder(), 'r', words);
    expect(stderr).toBe('gess: expected a file or a pipe as stdin, found a folder [file-unreadable]\n');
    expect(status).toBe(1);
  });

  test('refuses a stdin that is open for writing only', () => {
    const { status, stderr } = runWith(join(temporaryFolder(), 'output'), 'w', words);
    expect(stderr).toBe('gess: cannot read stdin: it is not open for reading (EBADF) [file-unreadable]\n');
    expect(status).toBe(1);
  });

  test('ends at the end of stdin', () => {
    expect(runWith('/dev/null', 'r', words)).toMatchObject({ status: 0, stderr: '' });
  });
});

test('gess engine ends at SIGTERM while its stdin is flooded', { timeout: 20_000 }, async () => {
  const flood = spawn('yes', ['isready'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const engine = spawn(process.execPath, [LAUNCHER, 'engine'], { stdio: [flood.stdout, 'pipe', 'inherit'] });
  onTestFinished(() => {
    flood.kill('SIGKILL');
    engine.kill('SIGKILL');
  });
  const [answer] = (await once(engine.stdout, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^readyok\n/);
  engine.kill('SIGTERM');
  expect(await once(engine, 'exit')).toEqual([143, null]);
});
