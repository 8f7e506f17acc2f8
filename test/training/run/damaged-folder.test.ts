import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_BYTES } from '../../../data/files/size-limits.js';
import { writeWithManifest } from '../../../data/files/manifest.js';
import { sealJson } from '../../../data/files/sealed-json.js';
import { encodeShard } from '../../../data/shards/shard-encoding.js';
import { readShard, writeShard } from '../../../data/shards/shard.js';
import { arrowManifestPath, shardName } from '../../../data/arrow-names.js';
import { RunConfig } from '../../../training/config/run-config.js';
import { EXPORT_FILES } from '../../../training/export/export-files.js';
import { openRun } from '../../../training/run/run-folder.js';
import { type RunPaths, runPaths } from '../../../training/run/run-paths.js';
import { writeRecord } from '../../../training/run/run-record-file.js';
import { writeRunEvents } from '../../../training/run/tensorboard/run-events.js';
import { verify } from '../../../training/run/run-verification.js';
import { FIXTURE_SHARD } from '../../data/fixture-shard.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { evaluationRecord, metricsRecord } from './record-fixtures.js';
import { runGess } from '../../scripts/captured-output.js';

const FIXTURE = join(import.meta.dirname, '..', '..', 'fixtures', 'checkpoint');
const DEEP = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}\n`;

const { details } = JSON.parse(readFileSync(join(FIXTURE, 'manifest.json'), 'utf8')) as {
  details: Record<string, string>;
};

async function writeCheckpointFiles(
  folder: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<void> {
  const names = ['model.json', 'weights.bin', 'optimizer.bin', 'model.onnx'];
  const contents = names.map((name) => [name, changes[name] ?? readFileSync(join(FIXTURE, name))] as const);
  mkdirSync(folder, { recursive: true });
  await writeWithManifest(join(folder, 'manifest.json'), new Map(contents), { kind: 'checkpoint', details });
}

/** Writes a run with shards, checkpoints, records and two exports, all sound. */
async function writeSoundRun(folder: string): Promise<void> {
  const config = RunConfig.parse({ game: { id: 'connect-four' }, generations: 9 });
  const { lock, paths } = await openRun(folder, { config, resume: false, versions: {} });
  lock.release();
  mkdirSync(paths.data(1), { recursive: true });
  const shard = await readShard(FIXTURE_SHARD);
  for (let index = 0; index < 13; index++) await writeShard(join(paths.data(1), shardName(index)), shard);
  for (let generation = 0; generation < 5; generation++) {
    await writeCheckpointFiles(paths.checkpoint(generation));
    await writeRecord(paths, 'metrics', metricsRecord(generation));
  }
  for (const generation of [2, 3, 4]) {
    mkdirSync(paths.data(generation));
    await writeShard(join(paths.data(generation), shardName(0)), shard);
  }
  await writeRecord(paths, 'evaluations', evaluationRecord(0, 'random'));
  await writeRunEvents(paths);
  for (const name of ['export', 'other-export']) {
    mkdirSync(join(folder, name));
    const model = join(import.meta.dirname, '..', '..', '..', 'models', 'connect-four');
    for (const file of Object.values(EXPORT_FILES)) {
      copyFileSync(join(model, file), join(folder, name, file));
    }
  }
}

const template = mkdtempSync(join(tmpdir(), 'gess-run-'));
beforeAll(() => writeSoundRun(join(template, 'run')));
afterAll(() => {
  rmSync(template, { recursive: true });
});

/** A copy of a sound run, which is faster than writing one: each file of a run is synced to the disk. */
function soundRun(): RunPaths {
  const folder = join(temporaryFolder(), 'run');
  cpSync(join(template, 'run'), folder, { recursive: true });
  return runPaths(folder);
}

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at]! ^= 1;
  writeFileSync(path, bytes);
}

/** Replaces a file by something else. */
function replace(path: string, make: (path: string) => void): void {
  rmSync(path, { force: true });
  make(path);
}

const pipe = (path: string): void => void execFileSync('mkfifo', [path]);
const device = (path: string): void => {
  symlinkSync('/dev/zero', path);
};
const sparse =
  (size: number) =>
  (path: string): void => {
    writeFileSync(path, '');
    truncateSync(path, size);
  };
const text =
  (content: string) =>
  (path: string): void => {
    writeFileSync(path, content);
  };

/** Damages a run in every way; returns the path and the code of each. */
async function damage(run: RunPaths): Promise<readonly (readonly [path: string, code: string])[]> {
  const shard = (index: number): string => join(run.data(1), shardName(index));
  const manifest = (index: number): string => arrowManifestPath(shard(index));
  const checkpoint = (generation: number, file: string): string => join(run.checkpoint(generation), file);
  const [spec, weights] = [
    join(run.folder, 'export', 'spec.json'),
    join(run.folder, 'other-export', EXPORT_FILES.weights),
  ];
  truncateSync(shard(0), 100);
  flip(shard(1), 500);
  rmSync(shard(2));
  replace(shard(3), pipe);
  replace(shard(4), device);
  replace(shard(5), sparse(MAX_BYTES.shard + 1));
  replace(shard(6), (path) => {
    mkdirSync(path);
  });
  replace(manifest(7), text(DEEP));
  replace(
    manifest(8),
    text(sealJson({ manifestVersion: 99, kind: 'shard', files: {}, details: {} }, 'file')),
  );
  await writeWithManifest(manifest(9), new Map([[shardName(9), 'no shard']]), { kind: 'shard', details: {} });
  replace(manifest(10), (path) => {
    symlinkSync(path, path);
  });
  replace(manifest(11), text('{"manifestVersion": 1, "__proto__": {}}'));
  const { columns, metadata } = await readShard(FIXTURE_SHARD);
  const stranger = encodeShard(columns, { ...metadata, game: 'checkers' });
  await writeWithManifest(manifest(12), new Map([[shardName(12), stranger]]), { kind: 'shard', details: {} });
  await writeCheckpointFiles(run.checkpoint(0), { 'model.json': '{' });
  rmSync(checkpoint(1, 'manifest.json'));
  flip(checkpoint(2, 'weights.bin'), 100);
  replace(checkpoint(3, 'manifest.json'), pipe);
  await writeCheckpointFiles(run.checkpoint(4), { 'model.json': DEEP });
  replace(run.runFile, text(DEEP));
  const lines = readFileSync(run.metrics, 'utf8').split(/(?<=\n)/);
  writeFileSync(run.metrics, [lines[0], DEEP, ...lines.slice(2)].join(''));
  replace(run.evaluations, pipe);
  replace(run.gates, sparse(MAX_BYTES.records + 1));
  replace(run.removals, (path) => {
    writeFileSync(path, Buffer.of(0x22, 0xff, 0x22));
  });
  flip(spec, 20);
  flip(weights, 20);
  return [
    [shard(0), 'file-cut'],
    [shard(1), 'file-altered'],
    [shard(2), 'file-missing'],
    [shard(3), 'file-unreadable'],
    [shard(4), 'file-unreadable'],
    [shard(5), 'file-too-large'],
    [shard(6), 'file-unreadable'],
    [manifest(7), 'manifest-damaged'],
    [manifest(8), 'manifest-too-new'],
    [manifest(9), 'shard-format'],
    [manifest(10), 'file-unreadable'],
    [manifest(11), 'manifest-damaged'],
    [manifest(12), 'game-unknown'],
    [checkpoint(0, 'manifest.json'), 'checkpoint-damaged'],
    [checkpoint(1, 'manifest.json'), 'run-damaged'],
    [checkpoint(2, 'weights.bin'), 'file-altered'],
    [checkpoint(3, 'manifest.json'), 'file-unreadable'],
    [checkpoint(4, 'manifest.json'), 'checkpoint-damaged'],
    [run.runFile, 'run-damaged'],
    [run.metrics, 'run-damaged'],
    [run.evaluations, 'file-unreadable'],
    [run.gates, 'file-too-large'],
    [run.removals, 'run-damaged'],
    [spec, 'manifest-damaged'],
    [weights, 'file-altered'],
  ];
}

test('in a folder with 25 kinds of damage at once, each of them is named', async () => {
  const run = soundRun();
  expect((await verify(run.folder, { deep: false })).problems).toEqual([]);
  const expected = await damage(run);
  expect(expected).toHaveLength(25);
  const { problems } = await verify(run.folder, { deep: true });
  const found = problems.map(({ path, code }) => `${code} ${path}`);
  expect(found).toEqual(expect.arrayContaining(expected.map(([path, code]) => `${code} ${path}`)));
  // No sound file is named.
  const damaged = new Set(expected.map(([path]) => path));
  expect(problems.filter(({ path }) => !damaged.has(path))).toEqual([]);
  for (const { path, message } of problems) expect(message).toContain(path);
  await expect(runGess('data', 'verify', run.folder)).rejects.toMatchObject({ code: 'dataset-damaged' });
});

test('every damaged line of a file is named', async () => {
  const { folder, metrics } = soundRun();
  const lines = readFileSync(metrics, 'utf8').split(/(?<=\n)/);
  writeFileSync(metrics, lines.map((line, index) => (index % 2 === 0 ? line : '[]\n')).join(''));
  const { problems } = await verify(folder, { deep: false });
  const messages = problems.map(({ message }) => message).join('\n');
  expect(messages).toMatch(/line 2 of .*; .*line 4 of /);
});

test('of a file that is damaged throughout, the first lines are named', async () => {
  const { folder, metrics } = soundRun();
  writeFileSync(metrics, '\n'.repeat(1_000_000));
  const { problems } = await verify(folder, { deep: false });
  const message = problems.map((problem) => problem.message).find((text) => text.includes('line 1 of'));
  expect(message).toMatch(/line 1 of .*line 10 of .*; and 91 more problems$/);
  expect(message).not.toContain('line 11 of ');
});

describe('a run without run.json', () => {
  test.each(['inspect', 'report'])('is refused by %s, which names the file', async (command) => {
    const { folder, runFile } = soundRun();
    rmSync(runFile);
    await expect(runGess(command, folder)).rejects.toMatchObject({
      code: 'run-damaged',
      message: expect.stringContaining(runFile) as string,
    });
  });

  test('is named by data verify', async () => {
    const { folder, runFile } = soundRun();
    rmSync(runFile);
    const { problems } = await verify(folder, { deep: false });
    expect(problems).toMatchObject([{ path: runFile, code: 'run-damaged' }]);
  });
});

// Work or memory for each of its generations would exceed the time limit of the test.
test('a run with a folder of an enormous generation is verified', async () => {
  const { folder, checkpoints } = soundRun();
  mkdirSync(join(checkpoints, 'gen-999999999999'));
  const { problems } = await verify(folder, { deep: false });
  expect(problems.length).toBeGreaterThan(0);
});

test.each(['train', 'config show'])(
  '%s refuses a configuration that is a pipe or a device',
  async (command) => {
    const path = join(temporaryFolder(), 'config.json');
    const words = [...command.split(' '), '--config'];
    const out = command === 'train' ? ['--out', join(temporaryFolder(), 'run')] : [];
    for (const make of [pipe, device]) {
      replace(path, make);
      await expect(runGess(...words, path, ...out)).rejects.toMatchObject({
        code: 'file-unreadable',
        message: expect.stringContaining(path) as string,
      });
    }
    replace(path, text(DEEP));
    await expect(runGess(...words, path, ...out)).rejects.toMatchObject({ code: 'config-syntax' });
  },
);
