import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectFour } from '../../../env/connect-four/connect-four.js';
import { registerGame } from '../../../env/games.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { failGess, runGess } from '../captured-output.js';

/** Connect Four, of which no game has a result once this many have begun. */
function registerFadingGame(id: string, decided: number): void {
  let begun = 0;
  const game: typeof connectFour = {
    ...connectFour,
    id,
    initialState: () => {
      begun += 1;
      return connectFour.initialState();
    },
    outcome: (state) => (begun > decided ? null : connectFour.outcome(state)),
  };
  registerGame({ id, create: () => game });
}

function wordsFor(id: string, count: number, path: string): readonly string[] {
  return ['problems', '--game', id, '--agent', 'random', '--count', String(count), '--out', path];
}

function problemsIn(path: string): readonly unknown[] {
  return (JSON.parse(readFileSync(path, 'utf8')) as { problems: readonly unknown[] }).problems;
}

test('gess problems writes as many problems as are wanted', async () => {
  const path = join(temporaryFolder(), 'problems.json');
  const { results } = await runGess(...wordsFor('connect-four', 3, path));
  expect(results).toEqual([`gess problems: 3 problems in ${path}`]);
  expect(problemsIn(path)).toHaveLength(3);
});

test('gess problems gives up after many games without one, and writes those found', async () => {
  registerFadingGame('fading-four', 20);
  const path = join(temporaryFolder(), 'problems.json');
  const { error, results } = await failGess(wordsFor('fading-four', 1000, path));
  const { length } = problemsIn(path);
  expect(length).toBeGreaterThan(0);
  expect(results).toEqual([`gess problems: ${length} problems in ${path}`]);
  expect(error).toMatchObject({
    code: 'problems-few',
    exitCode: 1,
    message: `expected 1000 problems, found ${length}: 500 games of random in a row had none`,
  });
});
