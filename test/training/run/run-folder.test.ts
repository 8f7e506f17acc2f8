import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sealJson } from '../../../data/files/sealed-json.js';
import { digestOfConfig } from '../../../training/config/config-file.js';
import { withSettings } from '../../../training/config/config-settings.js';
import { RunConfig } from '../../../training/config/run-config.js';
import { openRun, readRunFile, type OpenRunOptions } from '../../../training/run/run-folder.js';
import { digestOfSource } from '../../../training/self-play/shard-job.js';
import { temporaryFolder } from '../../data/temporary-folder.js';

const CONFIG = RunConfig.parse({ seed: 3, game: { id: 'connect-four' }, generations: 4 });

/** Opens the run and gives it back. */
async function open(
  folder: string,
  options: Partial<OpenRunOptions>,
): Promise<Awaited<ReturnType<typeof openRun>>> {
  const run = await openRun(folder, { config: undefined, resume: true, versions: {}, ...options });
  await run.lock.release();
  return run;
}

async function begunRun(): Promise<string> {
  const folder = join(temporaryFolder(), 'run');
  await open(folder, { config: CONFIG });
  return folder;
}

/** What a program wrote that did not know these settings yet. */
function earlierConfig(): object {
  const copy = structuredClone(CONFIG) as unknown as Record<string, Record<string, unknown>>;
  delete copy['selfPlay']!['resignValue'];
  delete (copy['selfPlay']!['search'] as Record<string, unknown>)['decisiveMoves'];
  delete copy['learner']!['precision'];
  delete copy['replay']!['window'];
  return copy;
}

describe('a run that was begun before a setting existed', () => {
  function write(folder: string, config: object, configDigest: string): void {
    const content = { runVersion: 2, configDigest, versions: { 'gess-zero': '0.0.1' }, config };
    writeFileSync(join(folder, 'run.json'), sealJson(content, 'file'));
  }

  test('goes on as it did, known by the digest that it had', async () => {
    const folder = temporaryFolder();
    const config = earlierConfig();
    write(folder, config, digestOfConfig(config));
    for (const given of [undefined, CONFIG]) {
      const run = await open(folder, { config: given });
      expect(run.configDigest).toBe(digestOfConfig(config));
      expect(run.configDigest).not.toBe(digestOfConfig(CONFIG));
      // Where the default is another than what was done before, it is that.
      expect(run.config).toEqual(withSettings(CONFIG, [['selfPlay.search.decisiveMoves', false]]));
      expect(run.begunWith).toEqual(config);
    }
    await expect(open(folder, { settings: ['selfPlay.search.decisiveMoves=true'] })).rejects.toMatchObject({
      code: 'run-changed',
    });
    // Its shards too are known by the settings that there were.
    const { selfPlay } = (await open(folder, {})).begunWith as { selfPlay: object };
    const source = { kind: 'network', modelPath: import.meta.filename, config: CONFIG.selfPlay } as const;
    expect(await digestOfSource(source, selfPlay)).not.toBe(await digestOfSource(source));
  });

  test('is damaged where the configuration is not what the digest was made of', async () => {
    const folder = temporaryFolder();
    write(folder, earlierConfig(), digestOfConfig(CONFIG));
    await expect(open(folder, {})).rejects.toMatchObject({ code: 'run-damaged' });
  });
});

describe('a run that goes on', () => {
  test('with its own configuration stays as it is', async () => {
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

  test('may go farther, by other processes, measured otherwise, and remembers it', async () => {
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

test('what cannot be begun leaves no folder behind', async () => {
  const folder = join(temporaryFolder(), 'run');
  await expect(open(folder, {})).rejects.toMatchObject({ code: 'run-missing' });
  await expect(open(folder, { config: CONFIG, from: temporaryFolder() })).rejects.toMatchObject({
    code: 'manifest-missing',
  });
  expect(existsSync(folder)).toBe(false);
});
