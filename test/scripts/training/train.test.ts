import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { isLong } from '../../long-tests.js';
import { readShard } from '../../../data/shards/shard.js';
import { readCheckpoint } from '../../../training/checkpoints/checkpoint-folder.js';
import { readRunFile } from '../../../training/run/run-folder.js';
import { EVENTS_FILE } from '../../../training/run/tensorboard/run-events.js';
import { decodeEventFile } from '../../training/run/tensorboard/event-decoder.js';
import { digests } from '../../training/whole-runs/tiny-run.js';
import { runGess, runGessJson } from '../captured-output.js';

const CONFIG = {
  seed: 5,
  generations: 2,
  game: { id: 'connect-four' },
  network: { channels: 4, blocks: 1, valueHidden: 8 },
  selfPlay: { processes: 1, games: 4, gamesPerShard: 2, concurrentGames: 2, search: { simulations: 4 } },
  learner: { batchSize: 16, maxSteps: 2 },
  replay: { windowGenerations: 1 },
  evaluation: { every: 0 },
};

const folder = mkdtempSync(join(tmpdir(), 'gess-train-'));
const config = join(folder, 'config.json');
const calm = join(folder, 'calm');

function train(...words: string[]): Promise<unknown> {
  return runGessJson('train', ...words);
}

function manifest(run: string, generation: number): { details: Record<string, unknown> } {
  const path = join(run, 'checkpoints', `gen-00000${generation}`, 'manifest.json');
  return JSON.parse(readFileSync(path, 'utf8')) as { details: Record<string, unknown> };
}

beforeAll(async () => {
  writeFileSync(config, JSON.stringify(CONFIG));
  await train('--config', config, '--set', 'generations=3', '--out', calm);
}, 60_000);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test('a run with a wrong address of a pool leaves no folder', async () => {
  const run = join(folder, 'no-pool');
  const words = ['--config', config, '--pool', 'nosuch', '--out', run];
  await expect(train(...words)).rejects.toMatchObject({ code: 'pool-address' });
  expect(existsSync(run)).toBe(false);
});

test('a run resumes with its own game only', async () => {
  const other = train('--out', calm, '--resume', '--game', 'quess');
  const message = `expected --game connect-four, the game of the run in ${calm}, got quess`;
  await expect(other).rejects.toMatchObject({ code: 'option-value', message });
});

describe('a run that resumes with more generations', () => {
  test('ends like a run with that many from the start', async () => {
    const run = join(folder, 'extended');
    await train('--config', config, '--out', run, '--set', 'selfPlay.processes=2');
    const more = await train(
      '--out',
      run,
      '--resume',
      '--set',
      'generations=3',
      '--set',
      'evaluation.games=2',
    );
    expect(more).toMatchObject({ finished: true, generation: 3 });
    const [before, after] = [digests(calm), digests(run)];
    // Manifests of checkpoints have a digest of the configuration, in which the number of generations differs.
    const others = (all: Record<string, string>): object =>
      Object.fromEntries(Object.entries(all).filter(([name]) => !name.endsWith('manifest.json')));
    expect(others(after)).toEqual(others(before));
    expect((await readRunFile(run))?.changes).toMatchObject([{ afterGeneration: 2 }]);
    const events = decodeEventFile(readFileSync(join(run, 'tensorboard', EVENTS_FILE)));
    expect(events.slice(1, 3).map(({ step, others }) => [step, others])).toEqual([
      [0, ['_hparams_/experiment', '_hparams_/session_start_info']],
      [0, ['games/firstBoard']],
    ]);
    expect(events.slice(3).map(({ step }) => step)).toEqual([1, 2, 3]);
    expect(events[5]?.scalars.get('games/games')).toBe(4);
    expect(events[5]?.seconds).toBeGreaterThan(1_700_000_000);
    await expect(train('--out', run, '--resume', '--set', 'generations=2')).rejects.toMatchObject({
      code: 'run-changed',
    });
  });
});

describe.runIf(isLong)('a run with a gate', () => {
  test('ends with the network that passed the gate, not with the newest', async () => {
    const run = join(folder, 'gated');
    // No network wins all of eight games after two steps.
    const gate = ['--set', 'gate={"games":8,"score":1,"simulations":2}'];
    const end = await train('--config', config, ...gate, '--out', run);
    const checkpoint = join(run, 'checkpoints', 'gen-000000');
    expect(end).toEqual({ finished: true, generation: 2, playing: 0, checkpoint });
    const { results } = await runGess('train', '--out', run, '--resume');
    expect(results).toEqual([`finished: generation 0, the newest that passed the gate, is in ${checkpoint}`]);
  });
});

describe('a run with a teacher', () => {
  const taught = [
    '--config',
    config,
    '--set',
    'generations=1',
    '--set',
    'selfPlay.teacher=alphabeta:depth=1',
  ];

  test('learns its moves, names it, and plays a lost shard to the same bytes', async () => {
    const run = join(folder, 'taught');
    const { messages } = await runGess('train', ...taught, '--out', run);
    expect(messages.join('\n')).toContain('4 games by generation 0, judged by alphabeta:depth=1');
    const shard = join(run, 'data', 'gen-000001', 'shard-000001.arrow');
    const { columns } = await readShard(shard);
    expect(new Set(columns.searchSizes)).toEqual(new Set([0]));
    const before = digests(run);
    rmSync(shard);
    rmSync(shard.replace('.arrow', '.json'));
    await train('--out', run, '--resume');
    expect(digests(run)).toEqual(before);
  });

  test.each([
    ['selfPlay.teacher=random', /^expected a value .* by agent random, .*, at selfPlay\.teacher$/],
    ['evaluation.opponents=["random","mcts:model=none"]', /at 'none', .*, at evaluation\.opponents\.1$/],
    ['warmStart={"games":2,"agent":"mcts:model=none"}', /at 'none', .*, at warmStart\.agent$/],
  ])('with %s does not begin', async (setting, message) => {
    const run = join(folder, 'no-agent');
    const words = [...taught, '--set', 'evaluation.every=1', '--set', setting, '--out', run];
    await expect(train(...words)).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(message) as string,
    });
    expect(existsSync(run)).toBe(false);
  });
});

describe.runIf(isLong)('a run that keeps few generations', () => {
  test('keeps the same files as one that keeps all, and resumes', async () => {
    const run = join(folder, 'few');
    const rule = [
      '--set',
      'retention={"checkpoints":{"last":1},"data":{"last":1}}',
      '--set',
      'generations=2',
    ];
    await train('--config', config, ...rule, '--out', run);
    expect(readdirSync(join(run, 'checkpoints'))).toEqual(['gen-000000', 'gen-000002']);
    expect(readdirSync(join(run, 'data'))).toEqual(['gen-000002']);

    expect(await train('--out', run, '--resume', '--set', 'generations=3')).toMatchObject({ generation: 3 });
    expect(readdirSync(join(run, 'checkpoints'))).toEqual(['gen-000000', 'gen-000003']);
    const all = digests(calm);
    for (const [name, digest] of Object.entries(digests(run))) {
      if (!name.endsWith('manifest.json')) expect([name, digest]).toEqual([name, all[name]]);
    }
    expect(await runGessJson('data', 'verify', run)).toMatchObject({ problems: [], unchecked: [] });
    expect(await runGessJson('inspect', run)).toMatchObject({
      generations: [
        { generation: 0, removed: [] },
        { generation: 1, removed: ['checkpoint', 'data'], games: { games: 4 } },
        { generation: 2, removed: ['checkpoint', 'data'] },
        { generation: 3, removed: [], hasCheckpoint: true },
      ],
    });
    expect((await runGess('inspect', run)).results[0]).toContain('removed');
    rmSync(join(run, 'removed.jsonl'));
    await expect(runGess('data', 'verify', run)).rejects.toMatchObject({ code: 'dataset-damaged' });
  });
});

describe('a run from a checkpoint', () => {
  const origin = join(calm, 'checkpoints', 'gen-000002');

  test('has its network as generation 0, and resumes exactly', async () => {
    const whole = join(folder, 'whole');
    const begun = ['--config', config, '--from', origin, '--set', 'seed=8', '--set', 'generations=1'];
    await train(...begun, '--out', whole);
    for (const name of ['weights.bin', 'optimizer.bin']) {
      const first = readFileSync(join(whole, 'checkpoints', 'gen-000000', name));
      expect(first.equals(readFileSync(join(origin, name)))).toBe(true);
    }
    expect(manifest(whole, 0).details).toMatchObject({ generation: 0, optimizerSteps: 4 });
    expect(manifest(whole, 1).details).toMatchObject({ generation: 1, optimizerSteps: 6 });

    // Killed before generation 0 was written, while the first run existed.
    const resumed = join(folder, 'resumed');
    cpSync(whole, resumed, { recursive: true });
    rmSync(join(resumed, 'checkpoints'), { recursive: true });
    await train('--out', resumed, '--resume');
    expect(digests(resumed)).toEqual(digests(whole));
    await train(...begun, '--out', resumed, '--resume');
    const others = [
      '--config',
      config,
      '--set',
      'seed=8',
      '--set',
      'generations=1',
      '--out',
      resumed,
      '--resume',
    ];
    await expect(train(...others, '--from', join(calm, 'checkpoints', 'gen-000001'))).rejects.toMatchObject({
      code: 'run-changed',
    });

    const moved = join(folder, 'moved');
    cpSync(origin, moved, { recursive: true });
    const late = join(folder, 'late');
    await train('--config', config, '--from', moved, '--set', 'generations=1', '--out', late);
    rmSync(join(late, 'checkpoints'), { recursive: true });
    rmSync(moved, { recursive: true });
    cpSync(join(calm, 'checkpoints', 'gen-000003'), moved, { recursive: true });
    await expect(train('--out', late, '--resume')).rejects.toMatchObject({ code: 'run-origin' });
  });

  test('of fewer channels and blocks grows, and resumes exactly', async () => {
    const whole = join(folder, 'grown');
    const size = ['--set', 'network.blocks=2', '--set', 'network.channels=6', '--set', 'generations=1'];
    await train('--config', config, '--from', origin, ...size, '--out', whole);
    const { network } = await readCheckpoint(join(whole, 'checkpoints', 'gen-000001'));
    expect(network.shape.config).toMatchObject({ channels: 6, blocks: 2 });
    const resumed = join(folder, 'grown-resumed');
    cpSync(whole, resumed, { recursive: true });
    rmSync(join(resumed, 'checkpoints'), { recursive: true });
    await train('--out', resumed, '--resume');
    expect(digests(resumed)).toEqual(digests(whole));
  });

  test.each([
    ['another game', 'checkpoint-game', 'game.id=quess'],
    ['another network', 'checkpoint-network', 'network.channels=2'],
  ])('of %s is refused', async (_name, code, setting) => {
    const out = join(folder, code);
    await expect(
      train('--config', config, '--from', origin, '--set', setting, '--out', out),
    ).rejects.toMatchObject({
      code,
    });
    expect(existsSync(out)).toBe(false);
  });
});

test('a preset is found from any working directory', async () => {
  const before = process.cwd();
  onTestFinished(() => {
    process.chdir(before);
  });
  process.chdir(folder);
  const { results } = await runGess('config', 'show', '--preset', 'tiny');
  expect(JSON.parse(results[0]!)).toMatchObject({ generations: 3 });
});
