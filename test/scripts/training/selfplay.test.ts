import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readShard } from '../../../data/shards/shard.js';
import { connectFour } from '../../../env/connect-four/connect-four.js';
import { createGame } from '../../../env/games.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { lockFolder } from '../../../data/files/lock.js';
import { runGess, runGessJson } from '../captured-output.js';

describe('gess selfplay', () => {
  test('writes the games of an agent, and keeps existing shards', async () => {
    const folder = temporaryFolder();
    const config = join(folder, 'run.json');
    const out = join(folder, 'new', 'games');
    await writeFile(
      config,
      JSON.stringify({ game: { id: 'connect-four' }, selfPlay: { gamesPerShard: 4, processes: 1 } }),
    );
    const words = [
      'selfplay',
      '--agent',
      'greedy',
      '--games',
      '6',
      '--out',
      out,
      '--config',
      config,
      '--seed',
      '9',
    ];
    const first = (await runGessJson(...words)) as { shards: string[]; positions: number };
    expect(first).toMatchObject({
      finished: true,
      games: 6,
      truncated: 0,
      shardsFound: 0,
      networkEvaluations: 0,
    });
    expect((await readdir(out)).sort()).toEqual(
      ['shard-000000.arrow', 'shard-000000.json', 'shard-000001.arrow', 'shard-000001.json'].sort(),
    );
    let rows = 0;
    for (const path of first.shards) {
      const { columns, metadata } = await readShard(path, connectFour);
      expect(metadata).toMatchObject({ seed: 9, generation: 0 });
      rows += columns.rows;
    }
    expect(rows).toBe(first.positions);
    expect(await runGessJson(...words)).toMatchObject({ games: 6, positions: rows, shardsFound: 2 });
    const fewer = words.with(words.indexOf('--games') + 1, '3');
    await expect(runGess(...fewer)).rejects.toMatchObject({
      code: 'shard-of-other-job',
      message: `expected shards of 3 games in ${out}, found shard-000001.arrow too: use the earlier --games and selfPlay.gamesPerShard, or choose another folder`,
    });
    await expect(runGess(...words.slice(0, -1), '10')).rejects.toMatchObject({ code: 'shard-of-other-job' });
  });

  test('plays another game than that of the configuration by its default rules', async () => {
    const out = temporaryFolder();
    const words = ['--preset', 'small', '--game', 'quess', '--agent', 'random', '--games', '1'];
    const { shards } = (await runGessJson('selfplay', ...words, '--out', out)) as { shards: string[] };
    const { results } = await runGess('selfplay', ...words, '--out', out);
    expect(results[0]).toMatch(/^1 of 1 games, \d+ positions in 1 shard in /);
    expect(results[0]).toMatch(/lost, \d without a result \(ply limit\)$/m);
    const { metadata } = await readShard(shards[0]!, createGame('quess'));
    expect(metadata).toMatchObject({ game: 'quess' });
  });

  test.each([
    ['neither', []],
    ['both', ['--model', 'm.onnx', '--agent', 'greedy']],
  ])('requires a network or an agent: not %s', async (_name, players) => {
    await expect(
      runGess('selfplay', '--games', '1', '--out', temporaryFolder(), ...players),
    ).rejects.toMatchObject({ name: 'UsageError' });
  });

  test('ends before its games if the teacher reports no values', async () => {
    const out = join(temporaryFolder(), 'games');
    const model = ['--model', 'quess', '--game', 'quess', '--set', 'selfPlay.teacher=greedy'];
    await expect(runGess('selfplay', '--games', '1', ...model, '--out', out)).rejects.toMatchObject({
      code: 'agent-value',
    });
    expect(existsSync(out)).toBe(false);
  });

  test('does not write inside a run of another process', async () => {
    const run = temporaryFolder();
    const lock = await lockFolder(run);
    await writeFile(join(run, 'run.json'), '{"runVersion":1}');
    const words = ['selfplay', '--games', '1', '--agent', 'greedy', '--out', join(run, 'data', 'gen-000009')];
    await expect(runGess(...words)).rejects.toMatchObject({ code: 'run-locked' });
    lock.release();
    expect(await readdir(run)).toEqual(['run.json']);
  });

  test('rejects invalid input and leaves no files', async () => {
    const folder = temporaryFolder();
    const words = ['selfplay', '--games', '2', '--out', folder, '--game', 'connect-four', '--processes', '1'];
    await expect(runGess(...words, '--model', join(folder, 'none.onnx'))).rejects.toMatchObject({
      code: 'model-missing',
    });
    await expect(runGess(...words, '--agent', 'alphabeta:depth=x')).rejects.toMatchObject({
      name: 'AgentError',
    });
    await expect(runGess(...words, '--agent', 'mcts:model=nosuch')).rejects.toMatchObject({
      code: 'model-missing',
    });
    await expect(runGess(...words, '--agent', 'greedy', '--pool', 'nosuch')).rejects.toMatchObject({
      code: 'pool-address',
    });
    expect(await readdir(folder)).toEqual([]);
    await writeFile(join(folder, 'file'), '');
    await expect(
      runGess('selfplay', '--games', '1', '--agent', 'greedy', '--out', join(folder, 'file', 'x')),
    ).rejects.toMatchObject({ code: 'write-failed' });
  });
});
