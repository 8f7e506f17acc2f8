import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { LAUNCHER } from '../usage/launcher.js';

/** Runs a command with a game module of this content. */
function runWith(content: string): ReturnType<typeof spawnSync> {
  const module = join(temporaryFolder(), 'game.mjs');
  writeFileSync(module, content);
  return spawnSync(process.execPath, [LAUNCHER, 'perft', '1', '--game', module], {
    encoding: 'utf8',
    timeout: 20_000,
  });
}

test('an error ends the program, although a timer still runs', () => {
  const { status, stderr } = runWith("setInterval(() => {}, 1000); throw new Error('no luck');");
  expect(stderr).toMatch(/^gess: cannot load the game module .*: no luck \[game-module\]\n$/);
  expect(status).toBe(2);
});

test.each([
  ['a timer', 'setTimeout(() => { throw null; });', 'null [failed]'],
  ['a promise', "Promise.reject(new Error('no luck'));", 'no luck [failed] (--debug shows where)'],
])('an error in %s that nobody waits for is one line', (_name, content, line) => {
  const { status, stderr } = runWith(`${content} await new Promise(() => {});`);
  expect(stderr).toBe(`gess: ${line}\n`);
  expect(status).toBe(1);
});
