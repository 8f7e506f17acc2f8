import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockFile } from '../../../data/files/lock.js';
import { sha256 } from '../../../data/files/sealed-json.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { runGess, runGessJson } from '../captured-output.js';

async function playGames(agent: string, game = 'gess'): Promise<string> {
  const folder = join(temporaryFolder(), 'games');
  const words = ['--agent', agent, '--games', '24', '--game', game, '--processes', '1', '--out', folder];
  await runGess('selfplay', ...words, '--set', 'warmStart.quietPlies=20');
  return folder;
}

test('distill learns a network, reproducibly, that alpha-beta plays with', { timeout: 60_000 }, async () => {
  const data = await playGames('alphabeta:nodes=60');
  const folder = temporaryFolder();
  const [out, again, longer] = [join(folder, 'a'), join(folder, 'b'), join(folder, 'c')];
  const learnt = (await runGessJson('distill', '--data', data, '--out', out)) as {
    readonly positions: number;
    readonly steps: number;
    readonly heldBack: { readonly positions: number; readonly error: number };
  };
  expect(learnt.steps).toBe(4 * Math.ceil(learnt.positions / 256));
  await runGess('distill', '--data', data, '--out', again);
  expect(readFileSync(join(again, 'patterns.bin'))).toEqual(readFileSync(join(out, 'patterns.bin')));
  await expect(runGess('distill', '--data', data, '--out', out)).rejects.toMatchObject({
    code: 'file-exists',
  });
  const more = await runGessJson('distill', '--data', data, '--out', longer, '--passes', '20');
  expect((more as typeof learnt).heldBack.error).toBeLessThan(0.8 * learnt.heldBack.error);
  const onward = ['--from', longer, '--passes', '1', '--learning-rate', '0.0001', '--out', join(folder, 'd')];
  const further = await runGessJson('distill', '--data', data, ...onward);
  expect((further as typeof learnt).heldBack.error).toBeLessThan(0.8 * learnt.heldBack.error);
  const { details } = JSON.parse(readFileSync(join(folder, 'd', 'manifest.json'), 'utf8')) as {
    readonly details: { readonly startedFrom: string };
  };
  expect(details.startedFrom).toBe(sha256(readFileSync(join(longer, 'patterns.bin'))));
  const total = learnt.positions + learnt.heldBack.positions;
  const fewer = ['--passes', '1', '--batch-size', '64', '--max-rows', String(total - 1)];
  const less = (await runGessJson(
    'distill',
    '--data',
    data,
    ...fewer,
    '--out',
    join(folder, 'e'),
  )) as typeof learnt;
  expect(less.positions + less.heldBack.positions).toBe(total - 1);
  expect(less.steps).toBe(Math.ceil(less.positions / 64));
  const results = [...fewer, '--result-share', '1', '--out', join(folder, 'f')];
  const ofResults = (await runGessJson('distill', '--data', data, ...results)) as typeof learnt;
  expect({ ...ofResults, out: '', heldBack: null }).toEqual({ ...less, out: '', heldBack: null });
  // The game's result is farther from what a network predicts than the value of a search.
  expect(ofResults.heldBack.error).toBeGreaterThan(less.heldBack.error);
  const match = ['--agent', `alphabeta:network=${longer},depth=1`, '--opponent', 'random', '--games', '2'];
  expect((await runGess('evaluate', ...match)).results[0]).toMatch(/: 2 won, 0 drawn, 0 lost/);
});

test('distill does not begin where another process is writing', async () => {
  const out = join(temporaryFolder(), 'out');
  const lock = await lockFile(out);
  await expect(runGess('distill', '--data', temporaryFolder(), '--out', out)).rejects.toMatchObject({
    code: 'run-locked',
  });
  lock.release();
  expect(existsSync(out)).toBe(false);
});

test(
  'distill refuses data without values, of other games, and places of other data',
  { timeout: 60_000 },
  async () => {
    const games = await playGames('random', 'connect-four');
    const out = join(temporaryFolder(), 'out');
    await expect(runGess('distill', '--data', games, '--out', out)).rejects.toMatchObject({
      code: 'shard-game',
    });
    const from = join(out, 'none');
    await expect(runGess('distill', '--data', games, '--from', from, '--out', out)).rejects.toMatchObject({
      code: 'model-missing',
    });
    const silent = await playGames('random');
    await expect(runGess('distill', '--data', silent, '--out', out)).rejects.toMatchObject({
      code: 'distillation-rows',
    });
    await expect(runGess('distill', '--data', temporaryFolder(), '--out', out)).rejects.toMatchObject({
      code: 'dataset-empty',
    });
    expect(existsSync(out)).toBe(false);
  },
);
