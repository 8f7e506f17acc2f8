import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { LAUNCHER } from './launcher.js';

/** Runs `gess` in a folder that has been removed. */
function runInRemovedFolder(...words: readonly string[]): ReturnType<typeof spawnSync> {
  const script = 'mkdir removed && cd removed && rmdir ../removed && exec "$@"';
  return spawnSync('sh', ['-c', script, 'sh', process.execPath, LAUNCHER, ...words], {
    cwd: temporaryFolder(),
    encoding: 'utf8',
  });
}

test.each([
  // With a thread, with a process, and with a relative path.
  ['analyze', '--game', 'connect-four', '--agent', 'greedy'],
  ['selfplay', '--game', 'connect-four', '--agent', 'random', '--games', '1', '--out', 'shards'],
  ['perft', '1', '--game', './four.mjs'],
])('gess %s expects its working folder', (...words) => {
  const { status, stdout, stderr } = runInRemovedFolder(...words);
  expect(stderr).toBe('gess: expected a working folder, found that it was removed [file-missing]\n');
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
});

test.each([['--version'], ['--help'], ['perft', '--help']])('gess %s needs no working folder', (...words) => {
  expect(runInRemovedFolder(...words)).toMatchObject({ status: 0, stderr: '' });
});
