import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RunConfig } from '../../training/config/run-config.js';
import { temporaryFolder } from '../data/temporary-folder.js';
import { runGess } from './captured-output.js';

test('config schema prints configs/run.schema.json (gess config schema > configs/run.schema.json)', async () => {
  const { results } = await runGess('config', 'schema');
  const path = join(import.meta.dirname, '..', '..', 'configs', 'run.schema.json');
  expect(`${results.join('\n')}\n`).toBe(readFileSync(path, 'utf8'));
});

test('config show prints a configuration with its defaults', async () => {
  const show = async (...words: string[]): Promise<unknown> =>
    JSON.parse((await runGess('config', 'show', ...words)).results[0]!);
  expect(await show()).toEqual(RunConfig.parse({}));
  const tiny = await show('--preset', 'tiny', '--set', 'seed=5', '--set', 'learner.batchSize=32');
  expect(tiny).toMatchObject({
    game: { id: 'connect-four' },
    seed: 5,
    learner: { batchSize: 32, threads: 2 },
  });
  expect(await show('--config', 'gess-zero/configs/tiny.json')).toEqual(await show('--preset', 'tiny'));
});

test.each([
  ['a preset that does not exist', 'option-value', ['--preset', 'huge']],
  ['a preset and a file', 'option-conflict', ['--preset', 'tiny', '--config', 'x.json']],
  ['a setting that does not exist', 'setting-unknown', ['--preset', 'tiny', '--set', 'sede=1']],
])('%s', async (_name, code, words) => {
  await expect(runGess('config', 'show', ...words)).rejects.toMatchObject({ code });
});

test.each([
  ['config-missing', null],
  ['config-syntax', ''],
  ['config-invalid', 'null'],
  ['config-invalid', '[]'],
])('%s: a configuration file with %j', async (code, text) => {
  const path = join(temporaryFolder(), 'config.json');
  if (text !== null) writeFileSync(path, text);
  await expect(runGess('config', 'show', '--config', path)).rejects.toMatchObject({
    code,
    exitCode: 2,
    message: expect.stringContaining(path) as string,
  });
});

test('a configuration may begin with a byte order mark', async () => {
  const path = join(temporaryFolder(), 'config.json');
  writeFileSync(path, '\ufeff{"seed":5}');
  const { results } = await runGess('config', 'show', '--config', path);
  expect(JSON.parse(results[0]!)).toMatchObject({ seed: 5 });
});
