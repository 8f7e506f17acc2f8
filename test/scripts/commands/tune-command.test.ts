import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shardName } from '../../../data/arrow-names.js';
import { readShard, writeShard } from '../../../data/shards/shard.js';
import { TERM_NAMES } from '../../../env/gess/heuristics/gess-terms.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { runGess, runGessJson } from '../captured-output.js';

async function playGames(agent: string, game = 'gess'): Promise<string> {
  const folder = join(temporaryFolder(), 'games');
  const words = ['--agent', agent, '--games', '12', '--game', game, '--processes', '1', '--out', folder];
  await runGess('selfplay', ...words);
  return folder;
}

describe('tune', () => {
  test('fits weights to games reproducibly', { timeout: 60_000 }, async () => {
    const data = await playGames('greedy');
    const fit = (await runGessJson('tune', '--data', data)) as { weights: Record<string, number> };
    expect(fit).toMatchObject({
      positions: expect.any(Number) as number,
      lossBefore: expect.any(Number) as number,
      lossAfter: expect.any(Number) as number,
      scale: expect.any(Number) as number,
    });
    expect(Object.keys(fit.weights)).toEqual([...TERM_NAMES]);
    expect(fit.weights['stones']).toBe(100);
    expect(await runGessJson('tune', '--data', data)).toEqual(fit);
    expect(await runGessJson('tune', '--data', dirname(data))).toEqual(fit);
    expect(await runGessJson('tune', '--data', data, '--start', 'guessed')).not.toEqual(fit);
    const { results } = await runGess('tune', '--data', data);
    expect(results[0]).toContain('stones      100 -> 100');
  });

  test('rejects games in which stones do not help to win', { timeout: 60_000 }, async () => {
    const { columns, metadata } = await readShard(join(await playGames('greedy'), shardName(0)));
    const drawn = { ...columns, results: columns.results.map(() => 0) };
    // Without a pull, these few games alone would give stones a negative weight.
    for (const games of [drawn, columns]) {
      const path = join(temporaryFolder(), shardName(0));
      await writeShard(path, { columns: games, metadata });
      await expect(runGess('tune', '--data', path, '--pull', '0')).rejects.toMatchObject({
        code: 'tuning-games',
        message: expect.stringContaining('stones help to win') as string,
      });
    }
  });

  test('rejects games of another kind, and no games', { timeout: 60_000 }, async () => {
    const data = await playGames('random', 'connect-four');
    await expect(runGess('tune', '--data', data)).rejects.toMatchObject({ code: 'shard-game' });
    await expect(runGess('tune', '--data', temporaryFolder())).rejects.toMatchObject({
      code: 'dataset-empty',
    });
    await expect(runGess('tune', '--data', join(data, 'none'))).rejects.toMatchObject({
      code: 'file-missing',
    });
    await expect(runGess('tune', '--data', data, '--pull', '-1')).rejects.toMatchObject({
      code: 'option-value',
    });
  });
});
