import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../long-tests.js';
import { markdownPages, root } from './markdown.js';
import { runnableSteps } from './runnable-blocks.js';
import { LAUNCHER } from '../scripts/usage/launcher.js';

/** Replacements that shorten the half hour of a page to a minute: fewer and shorter games. */
const SHORTENED: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'docs/tutorials/train-quess.md': [
    [
      'train --preset quess',
      'train --preset quess --set generations=2 --set selfPlay.games=16 --set selfPlay.gamesPerShard=8 --set evaluation.games=2',
    ],
    ['gen-000019,simulations=64', 'gen-000002,simulations=4'],
    ['gen-000019', 'gen-000002'],
    ['--opponent alphabeta:depth=3 --games 200', '--opponent greedy --games 2'],
  ],
};

const folders: string[] = [];

/** A fresh folder with the package installed: a link to this checkout. */
function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gess-blocks-'));
  folders.push(folder);
  mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  symlinkSync(root, join(folder, 'node_modules', 'gess-zero'));
  symlinkSync(LAUNCHER, join(folder, 'node_modules', '.bin', 'gess'));
  return folder;
}

/** `npx` finds the commands of the folder here; npm itself would take longer than most of the commands. */
const PRELUDE = 'npx() { "$PWD/node_modules/.bin/$1" "${@:2}"; }';

/** Runs the blocks of a page as a reader does, each in a shell of its own; fails at the first block that fails. */
function runPage(page: string): void {
  const folder = freshFolder();
  for (const step of runnableSteps(page)) {
    if (step.kind === 'file') {
      writeFileSync(join(folder, step.name), step.text);
      continue;
    }
    const changes = SHORTENED[page] ?? [];
    const commands = changes.reduce((text, [from, to]) => text.replaceAll(from, to), step.text);
    const { status, stderr } = spawnSync('bash', ['-euc', `${PRELUDE}\nset -x\n${commands}`], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect([status, status === 0 ? '' : stderr.slice(-2000)]).toEqual([0, '']);
  }
}

const runnable = markdownPages.filter((page) => runnableSteps(page).length > 0);

beforeAll(() => {
  // Rebuilds the package if something has changed.
  expect(spawnSync(process.execPath, [LAUNCHER, '--version']).status).toBe(0);
}, 240_000);

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe('blocks marked as runnable', () => {
  test('are in the README, the tutorials and the guides', () => {
    expect(runnable).toEqual(expect.arrayContaining(['README.md', 'docs/tutorials/play-and-analyse.md']));
    expect(runnable).toEqual(expect.arrayContaining(['docs/how-to/write-an-agent.md']));
  });

  test('pages that are shortened contain the words to replace', () => {
    for (const [page, changes] of Object.entries(SHORTENED)) {
      const text = runnableSteps(page)
        .map((step) => step.text)
        .join('');
      for (const [from] of changes) expect(text).toContain(from);
    }
  });

  test.runIf(isLong).each(runnable)('%s', { timeout: 600_000 }, (page) => {
    runPage(page);
  });
});
