import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const SCRIPTS = join(ROOT, 'scripts');
const BUNDLE = mkdtempSync(join(ROOT, 'dist', 'bundle-'));

function node(...words: readonly string[]): string {
  return execFileSync(process.execPath, words, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

beforeAll(() => {
  node(join(SCRIPTS, 'launch.mjs'), '--version');
  node(join(SCRIPTS, 'start', 'start-bundle.mjs'), BUNDLE);
});

afterAll(() => {
  rmSync(BUNDLE, { recursive: true });
});

const ANALYSIS = ['analyze', '--agent', 'mcts:model=connect-four,simulations=4', '--game', 'connect-four'];

test.each([['--version'], ['--help'], ['perft', '2', '--json'], ['show', '--json'], [...ANALYSIS, '--json']])(
  'the bundle prints what the modules print: %s',
  (...words) => {
    // Times and rates differ.
    const [bundled, compiled] = [BUNDLE, join(ROOT, 'dist', 'scripts')].map((folder) =>
      node(join(folder, 'main.js'), ...words).replace(/"(\w*(?:[sS]econds?|Ms)\w*)": ?[\d.]+/g, '$1'),
    );
    expect(bundled).toBe(compiled);
  },
);

test('the bundle has the licences of the packages in it', () => {
  const names = readdirSync(BUNDLE);
  expect(names).toEqual(expect.arrayContaining(['LICENSE-commander.txt', 'LICENSE-zod.txt']));
});

test.each([
  ['perft 1', true],
  ['--version', true],
  ['', true],
  ['analyze --game quess', true],
  ['analyze --game=quess', true],
  ['analyze --game ./my-game.mjs', false],
  ['analyze --game=games/mine.mjs', false],
  ['perft 1 --debug', false],
  ['train --preset tiny', false],
])('the launcher runs "gess %s" from the bundle: %s', async (words, expected) => {
  const { runsFromBundle } = (await import(join(SCRIPTS, 'start', 'launch-choice.mjs'))) as {
    readonly runsFromBundle: (words: readonly string[]) => boolean;
  };
  expect(runsFromBundle(words.split(' ').filter((word) => word !== ''))).toBe(expected);
});
