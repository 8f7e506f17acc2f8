import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RunConfig } from '../../../training/config/run-config.js';
import { openRun, type Run } from '../../../training/run/run-folder.js';
import { hasTimeForMatch, remainingOpponents } from '../../../training/stages/opponents.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { evaluationRecord, metricsRecord } from '../run/record-fixtures.js';

/** A run of 12 generations with empty checkpoints. */
async function runWith(evaluation: object): Promise<Run> {
  const config = RunConfig.parse({
    game: { id: 'connect-four' },
    generations: 12,
    selfPlay: { processes: 2 },
    evaluation: { every: 2, opponents: ['random', 'careful'], ...evaluation },
  });
  const run = await openRun(join(temporaryFolder(), 'run'), { config, resume: false, versions: {} });
  run.lock.release();
  for (let generation = 0; generation <= 12; generation++) {
    mkdirSync(run.paths.checkpoint(generation), { recursive: true });
  }
  return run;
}

const played = (generation: number, key: string, score = 0.5, games = 200) => ({
  generation,
  key,
  score,
  games,
});

test('a generation plays the fixed opponents, earlier evaluated generations, and generation 0', async () => {
  const run = await runWith({});
  expect(await remainingOpponents(run, 0, [])).toEqual(['random', 'careful']);
  expect(await remainingOpponents(run, 7, [])).toEqual([]);
  const keys = ['random', 'careful', 'generation-6', 'generation-4', 'generation-0'];
  expect(await remainingOpponents(run, 8, [])).toEqual(keys);
  expect(await remainingOpponents(run, 8, [played(8, 'careful'), played(8, 'generation-4')])).toEqual([
    'random',
    'generation-6',
    'generation-0',
  ]);
  rmSync(run.paths.checkpoint(6), { recursive: true });
  expect(await remainingOpponents(run, 8, [])).not.toContain('generation-6');
  rmSync(run.paths.checkpoint(8), { recursive: true });
  expect(await remainingOpponents(run, 8, [])).toEqual([]);
});

test('opponents that have not been played for the longest time come first', async () => {
  const run = await runWith({ earlier: 1, playsFirst: false });
  const records = [played(2, 'careful'), played(4, 'random'), played(6, 'careful')];
  expect(await remainingOpponents(run, 6, records.slice(0, 2))).toEqual([
    'generation-4',
    'careful',
    'random',
  ]);
  expect(await remainingOpponents(run, 8, records)).toEqual(['generation-6', 'random', 'careful']);
});

test('an opponent is dropped after a score over 97 %, until a newer result is lower', async () => {
  const run = await runWith({ earlier: 0, playsFirst: false });
  const isDropped = async (
    generation: number,
    ...scores: (readonly [number, number])[]
  ): Promise<boolean> => {
    const records = scores.map(([each, score]) => played(each, 'random', score));
    return !(await remainingOpponents(run, generation, records)).includes('random');
  };
  expect(await isDropped(4, [2, 0.97])).toBe(false);
  expect(await isDropped(4, [2, 0.98])).toBe(true);
  expect(await isDropped(8, [2, 0.98])).toBe(true);
  // A few games are not enough.
  expect(await remainingOpponents(run, 4, [played(2, 'random', 1, 14)])).toContain('random');
  expect(await remainingOpponents(run, 4, [played(2, 'random', 1, 16)])).not.toContain('random');
  // The newest result of an earlier generation counts.
  expect(await isDropped(6, [2, 0.98], [4, 0.9])).toBe(false);
  expect(await isDropped(2, [4, 1])).toBe(false);
});

test('matches begin while they took less than their share of the recorded time', async () => {
  const { config } = await runWith({ timeShare: 0.2 });
  const { learning } = metricsRecord(1);
  // 100 s of play, summed over both processes, and 50 s of learning, which count for both.
  const worked = metricsRecord(2, {
    effort: { seconds: 100, networkEvaluations: 0, cacheHits: 0 },
    learning: { ...learning, samples: 5000, samplesPerSecond: 100 },
  });
  const isIn = (generation: number, seconds: number): boolean =>
    hasTimeForMatch(config, generation, {
      metrics: [worked],
      evaluations: [evaluationRecord(2, 'random', { seconds })],
    });
  // With s seconds of matches the share is s / (200 + s).
  expect(isIn(2, 49)).toBe(true);
  expect(isIn(2, 51)).toBe(false);
  // Later generations do not count, so a resumed run makes the same decision.
  expect(isIn(1, 0)).toBe(false);
  const unlimited = { ...config, evaluation: { ...config.evaluation, timeShare: 1 } };
  expect(hasTimeForMatch(unlimited, 0, { metrics: [], evaluations: [] })).toBe(true);
});
