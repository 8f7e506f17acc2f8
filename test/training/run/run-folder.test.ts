import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sealJson } from '../../../data/files/sealed-json.js';
import { withSettings } from '../../../training/config/config-settings.js';
import { RunConfig } from '../../../training/config/run-config.js';
import { openRun, readRunFile, type OpenRunOptions } from '../../../training/run/run-folder.js';
import { temporaryFolder } from '../../data/temporary-folder.js';

const CONFIG = RunConfig.parse({ seed: 3, game: { id: 'connect-four' }, generations: 4 });

/** Opens the run and releases its lock. */
async function open(
  folder: string,
  options: Partial<OpenRunOptions>,
): Promise<Awaited<ReturnType<typeof openRun>>> {
  const run = await openRun(folder, { config: undefined, resume: true, versions: {}, ...options });
  run.lock.release();
  return run;
}

async function begunRun(): Promise<string> {
  const folder = join(temporaryFolder(), 'run');
  await open(folder, { config: CONFIG });
  return folder;
}

test('a run whose configuration does not match its digest is damaged', async () => {
  const folder = await begunRun();
  const path = join(folder, 'run.json');
  const content = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  delete content['sha256'];
  writeFileSync(path, sealJson(content, 'file'));
  await open(folder, {});
  const withSeed = { ...content, config: { ...(content['config'] as object), seed: 4 } };
  for (const changed of [withSeed, { ...content, configDigest: '0' }, { ...content, more: 1 }]) {
    writeFileSync(path, sealJson(changed, 'file'));
    await expect(open(folder, {})).rejects.toMatchObject({ code: 'run-damaged' });
  }
  writeFileSync(path, sealJson({ ...content, runVersion: 2 }, 'file'));
  await expect(open(folder, {})).rejects.toMatchObject({ code: 'run-too-new' });
});

describe('a resumed run', () => {
  test('with its own configuration does not change', async () => {
    const folder = await begunRun();
    const before = readFileSync(join(folder, 'run.json'), 'utf8');
    await open(folder, { config: { ...CONFIG, $schema: './elsewhere.json' } });
    await open(folder, { settings: ['seed=3', 'learner.batchSize=256'] });
    expect(readFileSync(join(folder, 'run.json'), 'utf8')).toBe(before);
  });

  test.each([
    ['learner.batchSize=64', 'learner.batchSize is 256, not 64'],
    ['seed=4', 'seed is 3, not 4'],
    ['selfPlay.search={"root":"gumbel"}', 'selfPlay.search.exploration is 1.25, not absent'],
  ])('cannot have %s', async (setting, text) => {
    const folder = await begunRun();
    const refusal = { code: 'run-changed', message: expect.stringContaining(text) as string };
    await expect(open(folder, { settings: [setting, 'generations=9'] })).rejects.toMatchObject(refusal);
    expect((await readRunFile(folder))?.changes).toEqual([]);
  });

  test('may have other generations, processes and evaluations, and stores the changes', async () => {
    const folder = await begunRun();
    const { configDigest } = await open(folder, {
      settings: ['generations=9', 'selfPlay.processes=1', 'evaluation.opponents=["random"]'],
    });
    const later = await open(folder, { config: withSettings(CONFIG, [['generations', 6]]) as RunConfig });
    expect(later.configDigest).toBe(configDigest);
    expect(later.config).toMatchObject({ generations: 6, selfPlay: { processes: 2 } });
    const file = await readRunFile(folder);
    expect(file).toMatchObject({ configDigest, begunWith: { generations: 4 }, config: later.config });
    expect(file?.changes).toMatchObject([
      { afterGeneration: null, settings: { generations: 9, 'selfPlay.processes': 1 } },
      { afterGeneration: null, settings: { generations: 6, 'selfPlay.processes': 2 } },
    ]);
    const damaged = readFileSync(join(folder, 'run.json'), 'utf8').replace(
      '"generations": 9',
      '"generations": 8',
    );
    writeFileSync(join(folder, 'run.json'), damaged);
    await expect(open(folder, {})).rejects.toMatchObject({ code: 'run-damaged' });
  });
});

test('a run that cannot begin leaves no folder behind', async () => {
  const folder = join(temporaryFolder(), 'run');
  await expect(open(folder, {})).rejects.toMatchObject({ code: 'run-missing' });
  await expect(open(folder, { config: CONFIG, from: temporaryFolder() })).rejects.toMatchObject({
    code: 'manifest-missing',
  });
  expect(existsSync(folder)).toBe(false);
});
