import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lockFolder } from '../../../data/files/lock.js';
import { FIXTURE_SHARD as SHARD } from '../../data/fixture-shard.js';
import { gessShard } from '../../data/gess-shard.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { failGess, runGess, runGessJson } from '../captured-output.js';
import { LAUNCHER } from '../usage/launcher.js';

test('a card that another process is writing is not written', async () => {
  const folder = temporaryFolder();
  const merged = join(folder, 'merged');
  await runGess('data', 'merge', SHARD, '--out', merged);
  const lock = await lockFolder(merged);
  expect(await failGess(['data', 'card', merged, '--write'])).toMatchObject({
    error: { code: 'run-locked' },
  });
  await runGess('data', 'card', merged);
  lock.release();
  await runGess('data', 'card', merged, '--write');
});

test('merges, describes and splits datasets', async () => {
  const folder = temporaryFolder();
  const [merged, parts] = [join(folder, 'merged'), join(folder, 'parts')];
  const { rows } = (await runGessJson('data', 'merge', SHARD, '--out', merged)) as { rows: number };
  expect(await runGessJson('inspect', merged)).toMatchObject({ kind: 'dataset', rows, games: 2 });
  const words = ['--id', 'gess/connect-four/two-v0', '--author', 'somebody', '--license', 'CC0-1.0'];
  const { results, messages } = await runGess('data', 'card', merged, ...words, '--write');
  expect(readFileSync(join(merged, 'README.md'), 'utf8').trimEnd()).toBe(results[0]);
  expect(messages).toEqual([`gess data card: wrote README.md and dataset.json in ${merged}`]);
  // The texts of an earlier card stay.
  expect(await runGessJson('data', 'card', merged)).toMatchObject({
    rows,
    words: { datasetId: 'gess/connect-four/two-v0', author: 'somebody', license: 'CC0-1.0' },
    madeBy: { operation: 'merge' },
  });
  const split = [
    'data',
    'split',
    merged,
    '--out',
    parts,
    '--part',
    'one=0.5',
    '--part',
    'two=0.5',
    '--seed',
    '3',
  ];
  const { rows: shared } = (await runGessJson(...split)) as { rows: Record<string, number> };
  expect(shared['one']! + shared['two']!).toBe(rows);
  expect(await runGessJson('data', 'card', join(parts, 'one'))).toMatchObject({
    words: { author: 'somebody' },
    madeBy: { operation: 'split' },
  });
});

test('a card has the words of the options', async () => {
  const folder = join(temporaryFolder(), 'merged');
  await runGess('data', 'merge', SHARD, '--out', folder);
  const words = {
    'author-email': 'somebody@example.org',
    algorithm: 'tree search',
    code: 'https://example.org/code',
    description: 'Two games.',
  };
  const options = Object.entries(words).flatMap(([name, text]) => [`--${name}`, text]);
  expect(await runGessJson('data', 'card', folder, ...options)).toMatchObject({
    words: {
      authorEmail: words['author-email'],
      algorithmName: words.algorithm,
      codePermalink: words.code,
      description: words.description,
    },
  });
  const [page] = (await runGess('data', 'card', folder, ...options)).results;
  for (const text of Object.values(words)) expect(page).toContain(text);
});

test('conditions select rows', async () => {
  const out = join(temporaryFolder(), 'some');
  const words = ['--where', 'ply=..2', '--where', 'gameId=640', '--sample', '0.9'];
  const { rows } = (await runGessJson('data', 'merge', SHARD, '--out', out, ...words)) as { rows: number };
  const found = (await runGessJson('inspect', out)) as { rows: number; histograms: { ply: { max: number } } };
  expect(found.rows).toBe(rows);
  expect(found.histograms.ply.max).toBeLessThanOrEqual(2);
});

describe('a shard without its JSON is left out with a note by', () => {
  // The state of a run that was killed between the two writes.
  const unfinished = (): { folder: string; note: string } => {
    const folder = join(temporaryFolder(), 'games');
    mkdirSync(folder);
    for (const name of ['a', 'b', 'c']) cpSync(SHARD, join(folder, `${name}.arrow`));
    cpSync(SHARD.replace(/arrow$/, 'json'), join(folder, 'shard.json'));
    cpSync(SHARD, join(folder, 'shard.arrow'));
    const [path, more] = [join(folder, 'a.arrow'), 'and 2 more without their .json'];
    return { folder, note: `gess: left out ${path}, which is unfinished without a.json, ${more}` };
  };

  test.each([
    ['data merge', (folder: string) => ['data', 'merge', folder, '--out', `${folder}-new`]],
    ['inspect', (folder: string) => ['inspect', folder]],
    ['data card', (folder: string) => ['data', 'card', folder]],
  ])('%s', async (_, words) => {
    const { folder, note } = unfinished();
    expect((await runGess(...words(folder))).messages).toContain(note);
  });

  test.each([
    ['tune', () => []],
    ['study', () => []],
    ['distill', (folder: string) => ['--out', `${folder}-new`]],
    ['regret', () => ['--model', 'none', '--search', 'simulations=1']],
  ])('%s, which refuses the other shard as one of another game', async (command, words) => {
    const { folder, note } = unfinished();
    const data = command === 'study' ? [folder] : ['--data', folder];
    const { error, messages } = await failGess([command, ...data, ...words(folder)]);
    expect(error).toMatchObject({ code: 'shard-game' });
    expect(messages).toContain(note);
  });
});

/** The words of each command that reads games of Gess, with the folder of the games twice. */
const READERS: readonly (readonly [string, (folder: string) => readonly string[]])[] = [
  ['tune', (folder) => ['--data', folder, folder]],
  ['study', (folder) => [folder, folder]],
  ['distill', (folder) => ['--data', folder, folder, '--out', `${folder}-new`]],
  ['regret', (folder) => ['--data', folder, folder, '--model', 'none', '--search', 'simulations=1']],
];

test.each(READERS)('%s refuses rows that contradict the rules', async (command, words) => {
  const { folder, path } = await gessShard((sample) => ({ ...sample, player: 1 }));
  await expect(runGess(command, ...words(folder))).rejects.toMatchObject({
    code: 'shard-format',
    exitCode: 1,
    message: `row 0 of ${path} has another player`,
  });
});

test.each(READERS)('%s refuses the same games twice', async (command, words) => {
  const { folder } = await gessShard();
  await expect(runGess(command, ...words(folder))).rejects.toMatchObject({ code: 'dataset-duplicate' });
});

test.each([
  ['option-value', ['merge', SHARD, '--out', 'x', '--sample', '2']],
  ['option-value', ['split', SHARD, '--out', 'x', '--part', 'a']],
  ['option-missing', ['merge', SHARD]],
  ['argument-missing', ['merge', '--out', 'x']],
  ['dataset-content', ['split', SHARD, '--out', 'x', '--part', 'a=0.5', '--part', '../b=0.5']],
  ['dataset-filter', ['merge', SHARD, '--out', 'x', '--where', 'age=3']],
  ['dataset-filter', ['merge', SHARD, '--out', 'x', '--where', 'ply=5..3']],
  ['dataset-filter', ['merge', SHARD, '--out', 'x', '--where', 'ply=3,']],
])('%s: %j', async (code, words) => {
  await expect(runGess('data', ...words)).rejects.toMatchObject({ code });
});

test.each([
  ['dataset-empty', (folder: string) => ['convert', folder, '--to', 'arrow', '--out', join(folder, 'x')]],
  ['dataset-empty', (folder: string) => ['card', folder]],
  ['dataset-unknown', (folder: string) => ['verify', folder]],
] as const)('an empty folder is %s, and named', async (code, words) => {
  const folder = temporaryFolder();
  const message = expect.stringContaining(folder) as string;
  await expect(runGess('data', ...words(folder))).rejects.toMatchObject({ code, message });
});

test('inspect rejects unknown files in one line', async () => {
  const folder = temporaryFolder();
  const [parquet, json] = [join(folder, 'parquet'), join(folder, 'package.json')];
  await runGess('data', 'convert', SHARD, '--out', parquet);
  await expect(runGess('inspect', parquet)).rejects.toMatchObject({
    code: 'dataset-unknown',
    message: expect.stringMatching(/found the manifest of files of the kind 'parquet'$/) as string,
  });
  writeFileSync(json, '{"name":"x","version":"1","type":"module"}');
  await expect(runGess('inspect', json)).rejects.toMatchObject({
    code: 'manifest-damaged',
    message: expect.not.stringContaining('\n') as string,
  });
  await expect(runGess('inspect', join(json, 'data'))).rejects.toMatchObject({
    code: 'file-missing',
    message: expect.stringMatching(/found a file in place of its folder$/) as string,
  });
});

test('an invalid configuration and a missing model are usage errors', async () => {
  const folder = temporaryFolder();
  const config = join(folder, 'config.json');
  const selfplay = ['selfplay', '--games', '1', '--out', join(folder, 'games')];
  writeFileSync(config, '{"learner":{"batchSize":0,"passes":-1}}');
  const wrong = { exitCode: 2, message: expect.not.stringContaining('\n') as string };
  await expect(runGess('config', 'show', '--config', config)).rejects.toMatchObject(wrong);
  await expect(runGess(...selfplay, '--model', join(folder, 'none'))).rejects.toMatchObject({
    ...wrong,
    code: 'model-missing',
  });
  // The folder of a checkpoint names its model.
  await expect(runGess(...selfplay, '--model', folder)).rejects.toMatchObject({
    code: 'model-missing',
    message: expect.stringContaining(`'${folder}': model.onnx`) as string,
  });
});

test('a usage error exits with 2, damage with 1', { timeout: 60_000 }, () => {
  const ended = (...words: string[]): { status: number | null; stderr: string } =>
    spawnSync(process.execPath, [LAUNCHER, 'data', ...words], { encoding: 'utf8' });
  expect(ended('merge', '--out', 'x')).toMatchObject({ status: 2 });
  const missing = ended('verify', join(import.meta.dirname, 'none'));
  expect(missing.status).toBe(1);
  expect(missing.stderr).toMatch(/expected a file or folder at .*none, found none \[file-missing\]$/m);
});
