import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAgent } from '../../../agents/create-agent.js';
import { createGame } from '../../../env/games.js';
import type { Outcome } from '../../../env/game.js';
import { measureAccuracy } from '../../../training/matches/move-accuracy.js';
import { readSolvedPositions, type SolvedPosition } from '../../../training/matches/solved-positions.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { runGess, runGessJson } from '../../scripts/captured-output.js';

const game = createGame('connect-four');
const fixture = join(import.meta.dirname, '..', '..', 'fixtures', 'connect-four-solved.jsonl');

/** The same positions with all values negated: best moves are the worst. */
function turned(positions: readonly SolvedPosition[]): readonly SolvedPosition[] {
  return positions.map(({ position, values }) => ({
    position,
    values: new Map([...values].map(([action, value]) => [action, (0 - value) as Outcome])),
  }));
}

test('our solver agrees with BitBully on values and best moves', async () => {
  const positions = await readSolvedPositions(fixture, game);
  const solver = await createAgent('solver', game);
  const accuracy = await measureAccuracy(solver, positions, 1);
  const decisive = positions.filter(({ values }) => new Set(values.values()).size > 1).length;
  expect(decisive).toBeGreaterThan(30);
  expect(accuracy).toEqual({
    agent: 'solver',
    positions: 100,
    best: 100,
    decisive,
    bestOfDecisive: decisive,
  });
  for (const { position, values } of positions) {
    const turn = { state: game.parsePosition(position), rng: undefined as never };
    const [choice] = await solver.chooseAll([turn]);
    expect(choice!.value, position).toBe(Math.max(...values.values()));
  }
});

test('best moves become worst ones when all values are negated', async () => {
  const positions = await readSolvedPositions(fixture, game);
  const solver = await createAgent('solver', game);
  const accuracy = await measureAccuracy(solver, turned(positions), 1);
  // If all moves have the same value, each of them is still best.
  expect(accuracy.best).toBe(100 - accuracy.decisive);
  expect(accuracy.bestOfDecisive).toBe(0);
});

test('gess accuracy prints an object per agent; a weaker agent finds fewer best moves', async () => {
  const agents = ['alphabeta:depth=8', 'random'];
  const words = ['accuracy', '--game', 'connect-four', '--solved', fixture, '--json', '--agent', ...agents];
  const found = (await runGess(...words)).results.map(
    (line) => JSON.parse(line) as { best: number; positions: number },
  );
  expect(found.map(({ positions }) => positions)).toEqual([100, 100]);
  expect(found[0]!.best).toBeGreaterThan(found[1]!.best);
});

const position = '......./......./......./...r.../...y.../.y.r...';
const values = { 0: 0, 1: 0, 2: 0, 3: 0, 4: 0, 5: 0, 6: 0 };
const faults: readonly (readonly [string, string])[] = [
  ['invalid JSON', '{'],
  ['a missing position', JSON.stringify({ values })],
  ['an unknown key', JSON.stringify({ position, values, best: 3 })],
  ['a position that cannot be read', JSON.stringify({ position: 'x', values })],
  ['a move that cannot be read', JSON.stringify({ position, values: { ...values, 7: 0 } })],
  ['a missing move', JSON.stringify({ position, values: { 0: 1 } })],
  ['an invalid value', JSON.stringify({ position, values: { ...values, 3: 2 } })],
  ['a name that objects cannot have', `{"position":"${position}","values":{"__proto__":1}}`],
];

test.each(faults)('a file of solved positions with %s is refused with its line number', async (_, line) => {
  const path = join(temporaryFolder(), 'solved.jsonl');
  writeFileSync(path, `${JSON.stringify({ position, values })}\n\n${line}\n`);
  await expect(readSolvedPositions(path, game)).rejects.toMatchObject({
    code: 'solved-positions',
    message: expect.stringContaining(`on line 3 of ${path}`) as string,
  });
});

test('two values of one move are refused', async () => {
  const path = join(temporaryFolder(), 'solved.jsonl');
  const quess = createGame('quess');
  const state = quess.initialState();
  const actions = new Int32Array(quess.maxLegalActions);
  const moves = [...actions.subarray(0, quess.legalActions(state, actions))].map((action) =>
    quess.formatAction(action),
  );
  const line = (texts: readonly string[]): string =>
    JSON.stringify({
      position: quess.formatPosition(state),
      values: Object.fromEntries(texts.map((text, index) => [text, index % 2])),
    });
  writeFileSync(path, line(moves));
  expect(await readSolvedPositions(path, quess)).toHaveLength(1);
  writeFileSync(path, line([...moves, moves[0]!.toLowerCase()]));
  await expect(readSolvedPositions(path, quess)).rejects.toMatchObject({
    code: 'solved-positions',
    message: expect.stringContaining(`found ${moves[0]!} twice`) as string,
  });
});

test('an empty file, a finished game and a missing file are refused', async () => {
  const path = join(temporaryFolder(), 'solved.jsonl');
  writeFileSync(path, '\n');
  await expect(readSolvedPositions(path, game)).rejects.toMatchObject({ code: 'solved-positions' });
  const over = '......./......./...r.../...ry../...ry../...ry..';
  writeFileSync(path, JSON.stringify({ position: over, values }));
  await expect(readSolvedPositions(path, game)).rejects.toMatchObject({ code: 'solved-positions' });
  await expect(readSolvedPositions(`${path}.none`, game)).rejects.toMatchObject({ code: 'file-missing' });
  const missing = runGessJson('accuracy', '--solved', `${path}.none`, '--agent', 'random');
  await expect(missing).rejects.toMatchObject({ code: 'file-missing' });
});
