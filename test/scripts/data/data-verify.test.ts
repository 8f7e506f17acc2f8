import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Verification } from '../../../data/verification.js';
import { readShard, writeShard } from '../../../data/shards/shard.js';
import { shardName } from '../../../data/arrow-names.js';
import { createRng } from '../../../env/random.js';
import { RunConfig } from '../../../training/config/run-config.js';
import { writeRecord } from '../../../training/run/run-record-file.js';
import { openRun } from '../../../training/run/run-folder.js';
import { columnsOf, sampleOf } from '../../../data/shards/shard-columns.js';
import { createProgram } from '../../../scripts/program.js';
import type { Sample } from '../../../data/shards/sample.js';
import { type ManifestDetails, readAnyManifest, writeWithManifest } from '../../../data/files/manifest.js';
import { sealJson } from '../../../data/files/sealed-json.js';
import { FIXTURE_SHARD as SHARD } from '../../data/fixture-shard.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { evaluationRecord, metricsRecord } from '../../training/run/record-fixtures.js';
import { runGess } from '../captured-output.js';

const FIXTURES = join(import.meta.dirname, '../..', 'fixtures');

/** The folder of a run with each kind of file. */
async function writtenRun(): Promise<string> {
  const folder = join(temporaryFolder(), 'run');
  const config = RunConfig.parse({ game: { id: 'connect-four' } });
  const { lock, paths } = await openRun(folder, { config, resume: false, versions: {} });
  lock.release();
  mkdirSync(paths.data(1), { recursive: true });
  await writeShard(join(paths.data(1), shardName(0)), await readShard(SHARD));
  mkdirSync(paths.checkpoint(0), { recursive: true });
  const { details } = JSON.parse(readFileSync(join(FIXTURES, 'checkpoint', 'manifest.json'), 'utf8')) as {
    details: Record<string, string>;
  };
  const names = ['model.json', 'weights.bin', 'optimizer.bin', 'model.onnx'];
  const contents = new Map(names.map((name) => [name, readFileSync(join(FIXTURES, 'checkpoint', name))]));
  await writeWithManifest(join(paths.checkpoint(0), 'manifest.json'), contents, {
    kind: 'checkpoint',
    details,
  });
  await writeRecord(paths, 'metrics', metricsRecord(0));
  await writeRecord(paths, 'evaluations', evaluationRecord(0, 'random'));
  return folder;
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .sort();
}

/** The printed verification, and the code of the failure or null. */
async function verify(...words: string[]): Promise<{ found: Verification; code: unknown }> {
  const results: string[] = [];
  const output = {
    result: (text: string): void => void results.push(text),
    line: (): Promise<void> => Promise.resolve(),
    message: (): void => undefined,
  };
  const code = await createProgram(output)
    .parseAsync(['data', 'verify', ...words, '--json'], { from: 'user' })
    .then(
      () => null,
      (error: unknown) => (error as { code: unknown }).code,
    );
  return { found: JSON.parse(results[0] ?? 'null') as Verification, code };
}

describe('a run', () => {
  test('without damage has every file checked', async () => {
    const run = await writtenRun();
    const files = filesOf(run);
    const { found, code } = await verify(run, '--deep');
    expect(found).toEqual({
      files: files.length,
      bytes: files.reduce((sum, path) => sum + statSync(path).size, 0),
      problems: [],
      unchecked: [],
    });
    expect(code).toBeNull();
  });

  test('with a byte flipped in any file names that file', { timeout: 60_000 }, async () => {
    const run = await writtenRun();
    const rng = createRng(1, 'flips');
    const files = filesOf(run);
    expect(files).toHaveLength(10);
    for (const path of files) {
      const bytes = readFileSync(path);
      for (const at of [0, bytes.length - 1, rng.integer(bytes.length), rng.integer(bytes.length)]) {
        const damaged = Buffer.from(bytes);
        damaged[at]! ^= 1 << rng.integer(8);
        writeFileSync(path, damaged);
        const { found, code } = await verify(run);
        expect(
          found.problems.map((problem) => problem.path),
          `byte ${at} of ${path}`,
        ).toContain(path);
        expect(code).toBe('dataset-damaged');
      }
      writeFileSync(path, bytes);
    }
    expect((await verify(run)).code).toBeNull();
  });

  test('names a missing file', async () => {
    const run = await writtenRun();
    for (const path of filesOf(run).filter((one) => /\.(arrow|bin|onnx)$/.test(one))) {
      const bytes = readFileSync(path);
      rmSync(path);
      expect((await verify(run)).found.problems).toMatchObject([{ path, code: 'file-missing' }]);
      writeFileSync(path, bytes);
    }
  });

  test('lists files without a checksum', async () => {
    const run = await writtenRun();
    const notes = join(run, 'notes.json');
    writeFileSync(notes, '{}');
    const orphan = join(run, 'data', 'gen-000001', 'shard-000001.arrow');
    writeFileSync(orphan, 'cut');
    const { found, code } = await verify(run);
    expect(found.problems).toEqual([]);
    expect([...found.unchecked].sort()).toEqual([orphan, notes].sort());
    expect(code).toBeNull();
  });
});

test.each(['shard', 'episodes'])('a manifest of the kind %s with other files is damaged', async (kind) => {
  const folder = temporaryFolder();
  const path = join(folder, 'manifest.json');
  for (const names of [[], ['a.txt'], ['manifest.arrow', 'a.txt']]) {
    await writeWithManifest(path, new Map(names.map((name) => [name, 'text'])), { kind, details: {} });
    const { found } = await verify(folder);
    expect(found.problems).toMatchObject([{ path, code: 'manifest-damaged' }]);
    expect(found.problems[0]?.message).toContain('expected the file manifest.arrow alone');
  }
});

describe('a sealed manifest that contradicts its kind is damaged:', () => {
  /** A dataset, a folder of Parquet files or a pattern network; the name of its manifest. */
  const make = {
    dataset: async (folder: string): Promise<string> => {
      await runGess('data', 'merge', SHARD, '--out', folder);
      return 'dataset.json';
    },
    parquet: async (folder: string): Promise<string> => {
      await runGess('data', 'convert', SHARD, '--out', folder);
      return 'manifest.json';
    },
    'pattern network': async (folder: string): Promise<string> => {
      cpSync(join(FIXTURES, '..', '..', 'models', 'gess', 'patterns'), folder, { recursive: true });
      return Promise.resolve('manifest.json');
    },
  };

  test.each<[keyof typeof make, string, string, ManifestDetails]>([
    ['dataset', 'manifest-damaged', 'at datasetVersion', { datasetVersion: 0 }],
    ['dataset', 'manifest-too-new', 'dataset version 2', { datasetVersion: 2 }],
    ['dataset', 'manifest-damaged', 'expected rows', { rows: 5 }],
    ['dataset', 'manifest-damaged', 'expected games', { games: -3 }],
    ['dataset', 'manifest-damaged', 'expected game', { game: 'quess' }],
    ['parquet', 'manifest-damaged', 'at rows', { rows: 'many' }],
    ['pattern network', 'manifest-too-new', 'pattern version 2', { patternVersion: 2 }],
    ['pattern network', 'manifest-damaged', 'at positions', { positions: -1 }],
  ])('%s, %s: %s', async (kind, code, problem, change) => {
    const folder = join(temporaryFolder(), 'made');
    const path = join(folder, await make[kind](folder));
    expect((await verify(folder)).found.problems).toEqual([]);
    const manifest = await readAnyManifest(path);
    const details = { ...manifest.details, ...change };
    writeFileSync(path, sealJson({ ...manifest, details }, 'file'));
    const { found } = await verify(folder);
    expect(found.problems).toMatchObject([{ path, code }]);
    expect(found.problems[0]?.message).toContain(problem);
  });

  test('a damaged shard is reported once, not also as a fault of its dataset', async () => {
    const folder = join(temporaryFolder(), 'made');
    await make.dataset(folder);
    const path = join(folder, shardName(0));
    writeFileSync(path, readFileSync(path).subarray(1));
    expect((await verify(folder)).found.problems).toMatchObject([{ path, code: 'file-cut' }]);
  });
});

/** A shard of the rows of the fixtures, changed. */
async function changedShard(change: (sample: Sample, row: number) => Partial<Sample>): Promise<string> {
  const { columns, metadata } = await readShard(SHARD);
  const samples = Array.from({ length: columns.rows }, (_, row) => {
    const sample = sampleOf(columns, row);
    return { ...sample, ...change(sample, row) };
  });
  const path = join(temporaryFolder(), shardName(0));
  await writeShard(path, { columns: columnsOf(samples, 7), metadata });
  return path;
}

describe('rows that contradict the rules', () => {
  test.each<[string, number, (sample: Sample) => Partial<Sample>]>([
    ['another player', 4, ({ player }) => ({ player: player === 0 ? 1 : 0, result: -1 })],
    ['ply 1 where the position is of ply 0', 0, ({ ply }) => ({ ply: ply + 1 })],
    ['6 actions where 7 are legal', 4, ({ actions }) => ({ actions: actions.slice(1) })],
    ['', 4, () => ({ position: new Uint8Array(7) })],
    ['where the final position is of ply 7', 0, ({ pliesLeft }) => ({ pliesLeft: pliesLeft + 1 })],
  ])('%s', async (problem, row, change) => {
    // A fault of a single row is in row 4, whose policy is 0 for the changed actions.
    const path = await changedShard((sample, index) => {
      const shares = sample.policy.map((_, action) => (action === (sample.played ?? 0) ? 1 : 0));
      const changed = { ...sample, policy: shares };
      if (row > 0 && index !== row) return changed;
      const { actions, ...others } = { ...changed, ...change(changed) };
      return { ...others, actions, policy: shares.slice(7 - actions.length) };
    });
    expect((await verify(path)).code).toBeNull();
    const { found, code } = await verify(path, '--deep');
    expect(code).toBe('dataset-damaged');
    expect(found.problems[0]?.message).toContain(`row ${row} of ${path}`);
    expect(found.problems[0]?.message).toContain(problem);
  });
});

describe('rows that contradict themselves', () => {
  test.each<[string, (sample: Sample) => Partial<Sample>]>([
    ['a policy that sums to 0.5', ({ policy }) => ({ policy: policy.map((share) => share / 2) })],
    ['probability -1', ({ policy }) => ({ policy: policy.with(0, -1) })],
    ['a policy that sums to NaN', ({ policy }) => ({ policy: policy.with(0, NaN) })],
    ['actions that do not ascend', ({ actions }) => ({ actions: actions.toReversed() })],
    ['actions that do not ascend', ({ actions }) => ({ actions: actions.with(4, 3) })],
    ['a move 9 that was not legal', () => ({ played: 9 })],
    ['rootValue 1.5', () => ({ rootValue: 1.5 })],
    ['policyWeight -1', () => ({ policyWeight: -1 })],
    ['policyWeight Infinity', () => ({ policyWeight: Infinity })],
    ['policyWeight 65537', () => ({ policyWeight: 65_537 })],
    ['surprise -0.5', () => ({ surprise: -0.5 })],
    ['no plies left', () => ({ pliesLeft: 0 })],
    ['player 2', () => ({ player: 2 as 0 })],
    ['result 5', () => ({ result: 5 as 1 })],
    ['ply 3 after 3', () => ({ ply: 3 })],
    ['a game of 8 plies', ({ pliesLeft }) => ({ pliesLeft: pliesLeft + 1 })],
    ['another result', () => ({ result: -1 })],
    ['another result', () => ({ result: null })],
  ])('%s', async (problem, change) => {
    const path = await changedShard((sample, row) => (row === 4 ? change(sample) : {}));
    const { found } = await verify(path);
    expect(found.problems).toMatchObject([{ code: 'shard-format' }]);
    expect(found.problems[0]?.message).toContain(problem);
  });
});

test('the text names damaged files; unknown paths are rejected', async () => {
  const { results } = await runGess('data', 'verify', SHARD);
  expect(results[0]).toMatch(/^2 files checked, 0.0 MB: 0 damaged$/);
  await expect(runGess('data', 'verify', join(FIXTURES, 'none'))).rejects.toMatchObject({
    code: 'file-missing',
  });
  await expect(runGess('data', 'verify', import.meta.filename)).rejects.toMatchObject({
    code: 'dataset-unknown',
    message: expect.stringContaining(basename(import.meta.filename)) as string,
  });
});
