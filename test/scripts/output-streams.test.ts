import { spawn, spawnSync } from 'node:child_process';
import { openSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { nextTask } from '../../agents/next-task.js';
import { visibleLines } from '../../env/text/quoted-text.js';
import { waitingWriter } from '../../scripts/output.js';
import { temporaryFolder } from '../data/temporary-folder.js';
import { LAUNCHER } from './usage/launcher.js';

const WORDS = [LAUNCHER, 'show', '--game', 'connect-four'];

test('a reader that closes its end, such as head, ends the program silently', async () => {
  const child = spawn(process.execPath, WORDS, { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (text) => (stderr += String(text)));
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(stderr).toBe('');
});

test('lines for a reader that is late wait together, with one listener', async () => {
  const waiting: (() => void)[] = [];
  const stream = new Writable({
    highWaterMark: 1,
    write: (_chunk, _encoding, done) => {
      waiting.push(done);
    },
  });
  const write = waitingWriter(stream);
  const lines = Array.from({ length: 30 }, (_, index) => write(`line ${index}`));
  expect(stream.listenerCount('drain')).toBe(1);
  expect(stream.listenerCount('error')).toBe(1);
  while (waiting.length > 0) {
    waiting.shift()!();
    await nextTask();
  }
  await Promise.all(lines);
  expect(stream.listenerCount('drain')).toBe(0);
});

test('a result that cannot be written is an error of one line', async () => {
  const child = spawn(process.execPath, WORDS, { stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'] });
  let stderr = '';
  child.stderr!.on('data', (text) => (stderr += String(text)));
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(stderr).toBe('gess: cannot write the result: ENOSPC [disk-full]\n');
});

test.each([
  ['a pipe has none', {}, false],
  ['FORCE_COLOR adds them', { FORCE_COLOR: '1' }, true],
  ['FORCE_COLOR=0 does not', { FORCE_COLOR: '0' }, false],
  ['NO_COLOR does not', { NO_COLOR: '1' }, false],
])('colours of a result: %s', (_, colors, isPainted) => {
  const env = { ...process.env, FORCE_COLOR: undefined, NO_COLOR: undefined, ...colors };
  const { stdout } = spawnSync(process.execPath, [LAUNCHER, 'show', '--moves', 'f6-f7'], {
    ...{ env, encoding: 'utf8' },
  });
  expect(stdout.includes('\u001b[')).toBe(isPainted);
});

test('messages that nobody reads do not end the program', async () => {
  const child = spawn(process.execPath, [LAUNCHER, 'show', '--game', 'none'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr.destroy();
  expect(await once(child, 'close')).toEqual([2, null]);
});

test('names in a file cannot paint the terminal', () => {
  expect(visibleLines('a\u001b[2Jb\tc\nd\u009b')).toBe('a\\u001b[2Jb\tc\nd\\u009b');
  expect(visibleLines('\u001b[31mred\u001b[0m \u001b]0;title\u0007', true)).toBe(
    '\u001b[31mred\u001b[0m \\u001b]0;title\\u0007',
  );
  const folder = temporaryFolder();
  const file = join(folder, 'game.sgf');
  writeFileSync(file, '(;FF[4]GM[20]SZ[20]PB[\u001b[2J\\]evil]PW[b])');
  const { stdout, stderr } = spawnSync(process.execPath, [LAUNCHER, 'replay', '--sgf', file], {
    encoding: 'utf8',
  });
  // eslint-disable-next-line no-control-regex -- none is allowed
  expect(stdout + stderr).not.toMatch(/[\0-\x08\v-\x1f\x7f]/);
});

test('a limit of open files that is too low to load the program is one coded line', () => {
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', `ulimit -n 64; exec "${process.execPath}" "${LAUNCHER}" show`],
    {
      encoding: 'utf8',
    },
  );
  expect(status).toBe(1);
  expect(stderr).toMatch(/^gess: expected a limit of at least 200 more open files, .* \[open-files\]\n$/);
});
