import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runGess } from '../../scripts/captured-output.js';

const folder = mkdtempSync(join(tmpdir(), 'gess-test-'));
const run = join(folder, 'run');
const games = join(folder, 'games');
const CHECKPOINT = join(import.meta.dirname, '../../../models/gess/checkpoint');

beforeAll(async () => {
  mkdirSync(run);
  writeFileSync(join(run, 'run.json'), '{"runVersion":1}');
  const options = ['--agent', 'random', '--games', '2', '--processes', '1', '--out', games];
  await runGess('selfplay', '--game', 'connect-four', ...options);
}, 60_000);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('no command writes into the folder of a finished run', () => {
  test.each([
    ['learn', '--preset', 'tiny', '--data', games, '--steps', '1'],
    ['selfplay', '--game', 'connect-four', '--agent', 'random', '--games', '2'],
    ['export', '--checkpoint', CHECKPOINT],
    ['data', 'merge', games],
    ['data', 'split', games],
    ['data', 'convert', games],
    ['data', 'rescore', '--truncated', 'draw', games],
    ['evaluate', '--game', 'connect-four', '--agent', 'random', '--opponent', 'careful', '--games', '2'],
    ['train', '--preset', 'tiny'],
  ])('%s', async (...words) => {
    await expect(runGess(...words, '--out', join(run, 'new'))).rejects.toMatchObject({
      code: 'output-misplaced',
      message: expect.stringContaining(`outside of ${run}, which is a run`) as string,
    });
    expect(readdirSync(run)).toEqual(['run.json']);
  });

  test.each(['--out', '--svg'])('report %s', async (option) => {
    await expect(runGess('report', run, option, join(run, 'run.json'))).rejects.toMatchObject({
      code: 'option-value',
    });
    expect(readdirSync(run)).toEqual(['run.json']);
  });
});
