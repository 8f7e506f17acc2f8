import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLong } from '../../../long-tests.js';
import type { ExportResult } from '../../../../training/export/model-export.js';
import type { MetricsRecord } from '../../../../training/run/run-records.js';
import { temporaryFolder } from '../../../data/temporary-folder.js';
import { runGess } from '../../../scripts/captured-output.js';
import { digests } from '../../whole-runs/tiny-run.js';
import { ProgramWithoutNative } from './program-without-native.js';

const CONFIG = {
  seed: 7,
  generations: 2,
  game: { id: 'connect-four' },
  network: { channels: 8, blocks: 1, valueHidden: 16, globalPoolEvery: 1, movesLeft: true, holders: true },
  warmStart: { agent: 'alphabeta:depth=2', games: 6 },
  selfPlay: { games: 4, gamesPerShard: 4, processes: 1, search: { simulations: 4 } },
  learner: { batchSize: 32, maxSteps: 4, averaging: { kind: 'exponential', decay: 0.9 } },
  evaluation: { every: 0 },
};

let program: ProgramWithoutNative;

beforeAll(() => {
  program = new ProgramWithoutNative();
}, 60_000);

afterAll(() => {
  program.remove();
});

function metrics(run: string): MetricsRecord[] {
  const lines = readFileSync(join(run, 'metrics.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as MetricsRecord);
}

test('without native TensorFlow a run trains on WebAssembly and reports that', async () => {
  const folder = temporaryFolder();
  const [config, calm, killed] = ['config.json', 'calm', 'killed'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(config, JSON.stringify(CONFIG));

  const first = await program.start(['quickstart', '--config', config, '--out', calm, '--json']);
  expect(first.stderr).toMatch(/cannot be set up: expected Python 3/);
  expect(first.stderr).toMatch(
    /npx gess setup.*found: .*WebAssembly instead, which learns about \d+ times slower/,
  );
  expect(first.stderr).not.toContain('    at ');
  expect(first.code).toBe(0);
  expect(metrics(calm).map(({ backend }) => backend)).toEqual(['wasm', 'wasm']);
  expect(new Set(metrics(calm).map(({ tensors }) => tensors)).size).toBe(1);

  const spec = readFileSync(join(calm, 'export', 'spec.json'), 'utf8');
  const { parity } = JSON.parse(spec) as Pick<ExportResult, 'parity'>;
  expect(parity.positions).toBeGreaterThan(0);
  expect(Math.max(parity.tensorflowJs, parity.onnxPolicy, parity.onnxLegal)).toBeLessThan(1e-4);

  if (!isLong) return;
  // A killed run resumes to the same bytes.
  const args = ['train', '--config', config, '--out', killed];
  const cut = await program.start(args, (stderr, child) => {
    if (stderr.includes('generation 1, learning')) child.kill('SIGKILL');
  });
  expect(cut.code).toBeNull();
  expect((await program.start([...args, '--resume'])).code).toBe(0);
  expect(digests(killed)).toEqual(digests(calm));

  const more = ['--resume', '--set', 'generations=3', '--backend', 'native'];
  const { messages } = await runGess('train', '--out', calm, ...more);
  expect(messages.join('\n')).toMatch(/learnt on WebAssembly and resumes on native TensorFlow/);
  expect(metrics(calm).map(({ backend }) => backend)).toEqual(['wasm', 'wasm', 'native']);
}, 300_000);

test('a request for native TensorFlow fails if it is missing', async () => {
  const args = ['train', '--preset', 'tiny', '--out', join(temporaryFolder(), 'run'), '--backend', 'native'];
  const { code, stderr } = await program.start(args);
  expect(code).toBe(1);
  expect(stderr).toContain('[tensorflow-missing]');
}, 120_000);
