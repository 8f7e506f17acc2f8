import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../long-tests.js';
import { LAUNCHER } from '../scripts/usage/launcher.js';

const root = resolve(import.meta.dirname, '..', '..');
const run = promisify(execFile);

/** The lines that an example prints, run as examples/README.md describes. */
async function linesOf(name: string, ...words: string[]): Promise<string[]> {
  const { stdout } = await run(process.execPath, [join('dist', 'examples', `${name}.js`), ...words], {
    cwd: root,
  });
  return stdout.trimEnd().split('\n');
}

// The first command compiles what has changed.
beforeAll(() => run(process.execPath, [LAUNCHER, '--version']), 120_000);

describe('random-play', () => {
  test.each([
    ['gess/Gess', 'black', 'white'],
    ['gess/Gach-v0', 'black', 'white'],
    ['gess/Quess', 'light', 'dark'],
    ['gess/ConnectFour', 'red', 'yellow'],
  ])('plays %s', async (id, first, second) => {
    const lines = await linesOf('random-play', id, '3', '2');
    const games = lines
      .slice(-3)
      .map((line) => /^game \d: (\d+) plies, (\w+) (-?\d), (\w+) (-?\d)$/.exec(line));
    for (const game of games) {
      const [, plies, firstName, reward, secondName, otherReward] = game ?? [];
      expect([firstName, secondName]).toEqual([first, second]);
      expect(Number(plies)).toBeGreaterThan(0);
      expect(Number(reward) + Number(otherReward)).toBe(0);
    }
    // The first game's last position is above.
    expect(lines.length).toBeGreaterThan(6 + 3);
  });

  test('is the same with the same seed only', async () => {
    const [lines, same, other] = await Promise.all(
      ['2', '2', '3'].map((seed) => linesOf('random-play', 'gess/Quess', '1', seed)),
    );
    expect(same).toEqual(lines);
    expect(other).not.toEqual(lines);
  });
});

describe('policy-gradient', () => {
  /** The games won of 64, iteration by iteration; a random player wins 13, give or take 3. */
  async function winsOf(iterations: number): Promise<number[]> {
    const lines = await linesOf('policy-gradient', String(iterations), '1');
    return lines.map((line) => Number(/^iteration \d+: (\d+) of 64 won$/.exec(line)?.[1]));
  }

  test('begins as a random player', async () => {
    const [first, second, ...others] = await winsOf(2);
    expect(first).toBeLessThan(28);
    expect(second).toBeLessThan(36);
    expect(others).toEqual([]);
  });

  test.runIf(isLong)('learns to win', { timeout: 120_000 }, async () => {
    expect((await winsOf(40)).at(-1)).toBeGreaterThanOrEqual(55);
  });
});

describe('tic-tac-toe', () => {
  test('conforms; the tree search never loses, and wins most games against random play', async () => {
    const lines = await linesOf('play-tic-tac-toe', '40', '1');
    expect(lines[0]).toBe('tic-tac-toe conforms');
    const [, won, drawn, lost] =
      /^mcts against random: (\d+) won, (\d+) drawn, (\d+) lost$/.exec(lines[1] ?? '') ?? [];
    expect(Number(won) + Number(drawn)).toBe(40);
    expect(Number(lost)).toBe(0);
    expect(Number(won)).toBeGreaterThan(26);
  });
});
