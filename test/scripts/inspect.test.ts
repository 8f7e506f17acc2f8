import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordOfShardGame } from '../../data/records/recorded-game.js';
import { readShard, readShardFile, writeShard } from '../../data/shards/shard.js';
import { shardName } from '../../data/arrow-names.js';
import { NO_ACTION } from '../../env/game.js';
import { writeEpisodes } from '../../data/episodes/episode-file.js';
import { make } from '../../env/environments/make.js';
import { recordEpisodes, type RecordedEpisode } from '../../env/environments/wrappers/record-episodes.js';
import { describeInspection } from '../../scripts/inspection/inspection-text.js';
import type { Inspection } from '../../scripts/inspection/inspection.js';
import { openRun } from '../../training/run/run-folder.js';
import { RunConfig } from '../../training/config/run-config.js';
import { FIXTURE_SHARD as SHARD } from '../data/fixture-shard.js';
import { temporaryFolder } from '../data/temporary-folder.js';
import { runGess, runGessJson } from './captured-output.js';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures');
const CHECKPOINT = join(FIXTURES, 'checkpoint');

async function writtenRun(): Promise<string> {
  const folder = join(temporaryFolder(), 'run');
  const config = RunConfig.parse({ game: { id: 'connect-four' }, generations: 3 });
  const { lock } = await openRun(folder, { config, resume: false, versions: { 'gess-zero': '0.1.0' } });
  lock.release();
  cpSync(CHECKPOINT, join(folder, 'checkpoints', 'gen-000001'), { recursive: true });
  mkdirSync(join(folder, 'data', 'gen-000001'), { recursive: true });
  for (const name of ['shard.arrow', 'shard.json']) {
    cpSync(join(FIXTURES, name), join(folder, 'data', 'gen-000001', name));
  }
  return folder;
}

test('a shard, by its file or its manifest: counts, bars and a row', async () => {
  const json = await runGessJson('inspect', SHARD);
  expect(json).toMatchObject({
    kind: 'shard',
    path: SHARD,
    game: 'connect-four',
    shardVersion: 1,
    games: 2,
  });
  expect(await runGessJson('inspect', join(FIXTURES, 'shard.json'))).toEqual(json);
  const [text] = (await runGess('inspect', SHARD, '--row', '4')).results;
  expect(text).toContain(
    'games          2: 1 won, 0 drawn, 0 lost, 1 without a result (to the first player)',
  );
  expect(text).toMatch(/ply of rows: \d+, from 0 to \d+, mean [\d.]+\n\s+0 █+ \d+/);
  expect(text).toContain('to move     red, ply 4');
});

test(
  'the game of a row becomes a record, which replays to the end of the game',
  { timeout: 60_000 },
  async () => {
    const folder = temporaryFolder();
    const games = join(folder, 'games');
    const settings = [
      '--agent',
      'greedy',
      '--games',
      '3',
      '--processes',
      '1',
      '--set',
      'selfPlay.randomPlies=0',
    ];
    await runGess('selfplay', ...settings, '--set', 'warmStart.randomPlies=0', '--out', games);
    const { row } = (await runGessJson('inspect', games, '--row', '3')) as {
      row: { finalPosition: string };
    };
    const file = join(folder, 'game.sgf');
    const { messages } = await runGess('inspect', games, '--row', '3', '--write', file);
    expect(messages).toEqual([`gess inspect: wrote ${file}`]);
    const replay = await runGessJson('replay', '--sgf', file);
    expect(replay).toMatchObject({ legal: true, position: row.finalPosition });
    await expect(runGess('inspect', games, '--row', '3', '--write', file)).rejects.toMatchObject({
      code: 'file-exists',
    });
    const other = join(folder, 'game.json');
    await expect(runGess('inspect', games, '--write', other)).rejects.toMatchObject({
      code: 'option-conflict',
    });
    await expect(runGess('inspect', CHECKPOINT, '--row', '0', '--write', other)).rejects.toMatchObject({
      code: 'option-conflict',
    });
  },
);

type Columns = Awaited<ReturnType<typeof readShardFile>>['columns'];

test.each<[string, (columns: Columns) => void, string, RegExp]>([
  ['without a move', ({ played }) => (played[3] = NO_ACTION), 'record-gaps', /, row 3 has no played move$/],
  ['with a gap', ({ plies }) => (plies[3]! += 1), 'record-gaps', /, row 3 is of ply \d+ in place of \d+$/],
  ['with an illegal move', ({ played }) => (played[3] = 9), 'record-illegal', /in row 3 of .*; 9 of yellow/],
  ['without its end', ({ pliesLeft }) => (pliesLeft[0]! += 1), 'record-gaps', /its 7 rows are of 8 moves$/],
])('a game %s is no record', async (_name, change, code, message) => {
  const shard = await readShardFile(SHARD);
  const [game] = shard.columns.gameIds;
  expect(recordOfShardGame(SHARD, shard, game!).moves).toHaveLength(7);
  change(shard.columns);
  expect(() => recordOfShardGame(SHARD, shard, game!)).toThrow(
    expect.objectContaining({ code, message: expect.stringMatching(message) as string }),
  );
});

test('a folder of shards', async () => {
  const run = await writtenRun();
  const json = (await runGessJson('inspect', join(run, 'data'))) as { rows: number };
  expect(json).toMatchObject({ kind: 'dataset', shards: 1, generations: [{ generation: 3, games: 2 }] });
  expect((await runGessJson('inspect', SHARD)) as object).toMatchObject({ rows: json.rows });
  const [text] = (await runGess('inspect', join(run, 'data'))).results;
  expect(text).toMatch(/\nplayed by generation +shards +games +rows\n3 +1 +2 /);
  const warm = join(temporaryFolder(), shardName(0));
  const shard = await readShard(SHARD);
  await writeShard(warm, { ...shard, metadata: { ...shard.metadata, generation: 0 } });
  expect((await runGess('inspect', warm)).results[0]).toMatch(/\nno network, or 0 +1 +2 /);
});

test('a checkpoint', async () => {
  const json = await runGessJson('inspect', CHECKPOINT);
  expect(json).toMatchObject({
    kind: 'checkpoint',
    checkpointVersion: 1,
    generation: 1,
    game: 'connect-four',
  });
  // By hand: 42 squares, three convolutions and eight planes for the policy; then the dense layers.
  expect(json).toMatchObject({
    multiplyAccumulates: 42 * (9 * 3 * 4 + 2 * 9 * 4 * 4 + 4 * 8) + 42 * 8 * 7 + 8 * 4 + 4 * 3,
  });
  const { parameters, files } = json as { parameters: number; files: Record<string, number> };
  expect(files['optimizer.bin']).toBe(parameters * 2 * 4);
  const [text] = (await runGess('inspect', CHECKPOINT)).results;
  expect(text).toMatch(/stem\/kernel +3 x 3 x 3 x 4/);
});

test('a run', async () => {
  const run = await writtenRun();
  expect(await runGessJson('inspect', run)).toMatchObject({
    kind: 'run',
    game: 'connect-four',
    generationsPlanned: 3,
    newestCheckpoint: 1,
    generations: [{ generation: 1, shards: 1, hasCheckpoint: true, metrics: null }],
    evaluations: [],
  });
  expect((await runGess('inspect', run)).results[0]).toContain('3 planned, newest checkpoint 1');
});

test('the names of opponents are aligned to the left', async () => {
  const found = (await runGessJson('inspect', await writtenRun())) as object;
  const counts = { generation: 1, wins: 2, draws: 0, losses: 0, elo: 191, eloLow: -100, eloHigh: null };
  const evaluations = ['alphabeta:depth=1', 'random'].map((key) => ({ ...counts, key }));
  expect(describeInspection({ ...found, evaluations } as unknown as Inspection)).toContain(
    '\n1           random             ',
  );
});

test('a file of episodes', async () => {
  const episodes: RecordedEpisode[] = [];
  const env = recordEpisodes(
    make('gess/ConnectFour'),
    { write: (episode) => episodes.push(episode) },
    { observations: false },
  );
  env.reset({ seed: 1 });
  for (const action of [0, 1, 0, 1, 0, 1, 0]) env.step(action);
  env.reset({ seed: 2 });
  const agent = env.possibleAgents[0]!;
  const metadata = {
    datasetId: 'gess/connect-four/column-v0',
    author: 'somebody',
    observationSpace: env.observationSpace(agent),
    actionSpace: env.actionSpace(agent),
    softwareVersion: '0.1.0',
  };
  const path = join(temporaryFolder(), 'episodes.arrow');
  await writeEpisodes(path, { metadata, episodes });
  expect(await runGessJson('inspect', path)).toMatchObject({
    kind: 'episodes',
    datasetId: 'gess/connect-four/column-v0',
    author: 'somebody',
    episodes: 1,
    steps: 7,
    terminated: 1,
    histograms: { steps: { min: 7, max: 7 }, returns: { red: { mean: 1 }, yellow: { mean: -1 } } },
  });
  expect((await runGess('inspect', path)).results[0]).toContain('return of red: 1, from 1 to 1');
});

test.each([
  ['a missing path', join(import.meta.dirname, 'none'), 'file-missing'],
  ['a folder of something else', import.meta.dirname, 'dataset-unknown'],
  ['an exported model', join(import.meta.dirname, '../../models/gess'), 'dataset-unknown'],
  ['a file of something else', import.meta.filename, 'dataset-unknown'],
  ['a missing row', SHARD, 'dataset-row', '--row', '99'],
])('refuses %s', async (_, path, code, ...words) => {
  await expect(runGess('inspect', path, ...words)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(path) as string,
  });
});

test.each([
  ['spec.json', '{"specVersion":1}', 'gess export --verify'],
  ['match.json', '{"opponent":"careful"}', 'gess evaluate --resume'],
  ['ladder.json', '{"ladderVersion":1}', 'gess ladder'],
])('names the command that describes a folder with %s', async (file, text, command) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, file), text);
  await expect(runGess('inspect', folder)).rejects.toMatchObject({
    code: 'dataset-unknown',
    message: expect.stringContaining(command) as string,
  });
});

test.each([
  ['data/gen-000001/shard.arrow', 'data', 'file-altered'],
  ['data/gen-000001/shard.json', 'data', 'manifest-damaged'],
  ['checkpoints/gen-000001/weights.bin', 'checkpoints/gen-000001', 'file-altered'],
  ['run.json', '.', 'run-damaged'],
])('names %s if it is damaged', async (file, part, code) => {
  const run = await writtenRun();
  const path = join(run, file);
  const bytes = readFileSync(path);
  // Changes a letter inside a word, so that JSON stays valid JSON.
  const at = file.endsWith('.json') ? bytes.indexOf('ersion') : bytes.length >> 1;
  bytes[at]! ^= 1;
  writeFileSync(path, bytes);
  await expect(runGess('inspect', join(run, part))).rejects.toMatchObject({
    code,
    message: expect.stringContaining(path) as string,
  });
});
