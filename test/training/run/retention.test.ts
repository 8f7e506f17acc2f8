import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkpointManifestPath } from '../../../training/checkpoints/checkpoint-files.js';
import { RunConfig } from '../../../training/config/run-config.js';
import { type PastGeneration, planReplay } from '../../../training/learning/replay-plan.js';
import { readRecords, writeRecord } from '../../../training/run/run-record-file.js';
import { lostParts } from '../../../training/run/lost-parts.js';
import {
  bestGeneration,
  neededData,
  obsoleteCheckpoints,
  removeObsolete,
} from '../../../training/run/retention.js';
import { openRun, type Run } from '../../../training/run/run-folder.js';
import { sumStatistics } from '../../../training/self-play/self-play-statistics.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { evaluationRecord, metricsRecord } from './record-fixtures.js';

const share = fc.double({ min: 0, max: 1, noNaN: true });

describe('the games that learning needs', () => {
  const replay = fc.record({
    windowGenerations: fc.integer({ min: 1, max: 5 }),
    window: fc.oneof(
      fc.constant({ kind: 'generations' as const }),
      fc.record({
        kind: fc.constant('power' as const),
        rows: fc.integer({ min: 1, max: 300 }),
        exponent: fc.double({ min: 0.01, max: 1, noNaN: true }),
        slope: fc.double({ min: 0.01, max: 1, noNaN: true }),
      }),
    ),
    maxPasses: fc.double({ min: 0.5, max: 8, noNaN: true }),
    warmStartShare: share,
    warmStartDecay: share,
  });
  const generations = fc.array(
    fc.record({ rows: fc.integer({ min: 1, max: 200 }), passes: fc.double({ min: 0, max: 3, noNaN: true }) }),
    { minLength: 2, maxLength: 12 },
  );

  test('were also needed by earlier generations, so they were never removed', () => {
    let gone = 0;
    fc.assert(
      fc.property(replay, generations, fc.integer({ min: 0, max: 1 }), (settings, all, games) => {
        const config = RunConfig.parse({
          game: { id: 'connect-four' },
          replay: settings,
          warmStart: { games },
        });
        const past: PastGeneration[] = [];
        let there = new Set<number>();
        for (const [index, { rows, passes }] of all.entries()) {
          const generation = index + 1;
          there.add(generation);
          const plan = planReplay(config.replay, past, { generation, rows }, games > 0);
          for (const each of plan.generations) expect(there).toContain(each);
          if (plan.warmStartShare > 0) expect(there).toContain(1);
          past.push({ generation, rows, replay: { ...plan, trainingRows: rows, passes } });
          const needed = neededData(config, past, generation);
          gone += there.size;
          there = new Set([...there].filter((each) => needed.has(each)));
          gone -= there.size;
        }
      }),
      { numRuns: 300, seed: 1 },
    );
    expect(gone).toBeGreaterThan(300);
  });
});

test('the rule keeps the configured checkpoints, and always the first and the newest', () => {
  const rule = { last: 2, every: 4, best: true };
  expect(obsoleteCheckpoints([0, 3, 4, 5, 6, 7, 8, 9], rule, 5, 9)).toEqual([3, 6, 7]);
  expect(obsoleteCheckpoints([0, 3, 4, 5, 6, 7, 8, 9], rule, 5, 6)).toEqual([3, 7]);
  expect(obsoleteCheckpoints([0, 3, 4, 5, 6, 7, 8, 9], { ...rule, best: false }, 5, 9)).toEqual([3, 5, 6, 7]);
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(30)), fc.nat(5), fc.nat(5), fc.nat(30), (others, last, every, best) => {
      const all = [...new Set([0, ...others])].sort((a, b) => a - b);
      const playing = all[best % all.length]!;
      const gone = obsoleteCheckpoints(all, { last, every, best: true }, best, playing);
      for (const kept of [0, all.at(-1), best, playing]) expect(gone).not.toContain(kept);
      if (last === 0) expect(gone).toEqual([]);
    }),
  );
});

test('the best generation has the highest rating, whatever its opponents', () => {
  const match = (generation: number, key: string, [wins, losses]: readonly [number, number]) =>
    evaluationRecord(generation, key, {
      ...{ wins, losses, games: wins + losses },
      pentanomial: [losses >> 1, 0, 0, 0, wins >> 1],
    });
  const records = [
    match(1, 'a', [10, 10]),
    match(2, 'a', [14, 6]),
    // Generation 3 plays only the previous generation, and loses.
    match(3, 'generation-2', [8, 12]),
  ];
  expect(bestGeneration([1, 2, 3], records)).toBe(2);
  expect(bestGeneration([1, 3], records)).toBe(3);
  expect(bestGeneration([1, 2, 3, 4], [...records, match(4, 'generation-3', [12, 8])])).toBe(4);
  expect(bestGeneration([4, 5], records)).toBeNull();
  expect(bestGeneration([1, 2], [])).toBeNull();
  // Among equal ones, the newest.
  expect(bestGeneration([1, 2], [match(1, 'a', [4, 4]), match(2, 'a', [4, 4])])).toBe(2);
});

describe('a run', () => {
  /** A run with five generations, whose checkpoints and shards are empty files. */
  async function fiveGenerations(): Promise<Run> {
    const config = RunConfig.parse({
      game: { id: 'connect-four' },
      replay: { windowGenerations: 3 },
      evaluation: { opponents: ['random'] },
      retention: { checkpoints: { last: 1, every: 2 }, data: { last: 1 } },
    });
    const run = await openRun(join(temporaryFolder(), 'run'), { config, resume: false, versions: {} });
    run.lock.release();
    for (let generation = 0; generation <= 5; generation++) {
      mkdirSync(run.paths.checkpoint(generation), { recursive: true });
      writeFileSync(join(run.paths.checkpoint(generation), 'manifest.json'), '');
      if (generation === 0) continue;
      mkdirSync(run.paths.data(generation), { recursive: true });
      writeFileSync(join(run.paths.data(generation), 'shard-000000.arrow'), '');
      const games = { ...sumStatistics([]), positions: 10 };
      await writeRecord(run.paths, 'metrics', metricsRecord(generation, { games }));
      const won = { wins: 2, losses: 0, pentanomial: [0, 0, 0, 0, 1] };
      const record = evaluationRecord(generation, 'random', generation === 1 ? won : {});
      await writeRecord(run.paths, 'evaluations', record);
    }
    return run;
  }

  const contents = ({ paths }: Run): readonly string[] =>
    [paths.checkpoints, paths.allData].flatMap((folder) => readdirSync(folder)).sort();
  const kept = [
    'gen-000000',
    'gen-000001',
    'gen-000002',
    'gen-000004',
    'gen-000004',
    'gen-000005',
    'gen-000005',
  ];

  test('keeps the parts that the rule names, and records the removed ones', async () => {
    const run = await fiveGenerations();
    await removeObsolete(run, 4);
    expect(contents(run)).toHaveLength(11);
    await removeObsolete(run, 5);
    // The best checkpoint, every second one and the newest, and the games in the window of generation 6.
    expect(contents(run)).toEqual(kept);
    const removed = (await readRecords(run.paths, 'removals')).map(
      ({ generation, key }) => `${generation} ${key}`,
    );
    expect(removed).toEqual(['3 checkpoint', '1 data', '2 data', '3 data']);
    expect(await lostParts(run.paths)).toEqual([]);
    rmSync(run.paths.checkpoint(2), { recursive: true });
    rmSync(run.paths.data(4), { recursive: true });
    expect(await lostParts(run.paths)).toMatchObject([
      {
        path: run.paths.checkpoint(2),
        message: expect.stringContaining('generation 2 has no checkpoint') as string,
      },
      { path: run.paths.data(4), message: expect.stringContaining('generation 4 has no data') as string },
    ]);
  });

  test('without generation 0, or without the manifest of a checkpoint, is damaged', async () => {
    const { paths } = await fiveGenerations();
    const manifest = checkpointManifestPath(paths.checkpoint(3));
    rmSync(manifest);
    rmSync(paths.checkpoint(0), { recursive: true });
    expect(await lostParts(paths)).toMatchObject([{ path: paths.checkpoint(0) }, { path: manifest }]);
  });

  test('may lack the newest checkpoint only if it was killed before writing it', async () => {
    const run = await fiveGenerations();
    rmSync(run.paths.checkpoint(5), { recursive: true });
    const lost = [{ path: run.paths.checkpoint(5) }];
    expect(await lostParts(run.paths)).toMatchObject(lost);
    // The lock of a killed process. The match proves that the checkpoint existed.
    writeFileSync(join(run.paths.folder, 'run-1.lock'), '{}');
    expect(await lostParts(run.paths)).toMatchObject(lost);
    rmSync(run.paths.evaluations);
    expect(await lostParts(run.paths)).toEqual([]);
    mkdirSync(run.paths.data(6));
    expect(await lostParts(run.paths)).toMatchObject(lost);
  });

  test('that was killed during removal ends with the same parts', async () => {
    const run = await fiveGenerations();
    await writeRecord(run.paths, 'removals', { generation: 3, key: 'checkpoint' });
    await writeRecord(run.paths, 'removals', { generation: 1, key: 'data' });
    rmSync(run.paths.data(1), { recursive: true });
    await removeObsolete(run, 5);
    expect(contents(run)).toEqual(kept);
    await removeObsolete(run, 5);
    expect(contents(run)).toEqual(kept);
    expect(existsSync(run.paths.data(1))).toBe(false);
    expect(await readRecords(run.paths, 'removals')).toHaveLength(4);
  });
});
