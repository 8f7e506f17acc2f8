import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listShards, readShard } from '../../../data/shards/shard.js';
import { playingGeneration } from '../../../training/run/gate-records.js';
import type { GateRecord, MetricsRecord } from '../../../training/run/run-records.js';
import { runPaths } from '../../../training/run/run-paths.js';
import { KillingSpree, STAGES } from './killing-spree.js';
import { digests, type Ended, matches, records, startTraining, TINY_CONFIG, train } from './tiny-run.js';

/** Number of kills; more on demand: `KILLS=100 npx vitest run test/training/whole-runs/whole-run.test.ts`. */
const KILLS = Number(process.env['KILLS'] ?? '3');
/** With this many kills each stage must be hit. */
const KILLS_FOR_EACH_STAGE = 20;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gess-run-'));
  writeFileSync(join(folder, 'config.json'), JSON.stringify(TINY_CONFIG));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('a run', () => {
  test(
    `makes networks from games, and a killed one resumes to the same bytes (${KILLS} kills)`,
    { timeout: 120_000 + KILLS * 20_000 },
    async () => {
      const calm = join(folder, 'calm');
      const config = join(folder, 'config.json');
      const { code, stderr } = await train('--config', config, '--out', calm);
      expect(stderr).not.toContain('    at ');
      expect(code).toBe(0);

      const spree = new KillingSpree(config, join(folder, 'killed'));
      while (spree.kills < KILLS) {
        const finished = await spree.kill();
        if (finished !== null) expect(digests(finished)).toEqual(digests(calm));
      }
      const killed = await spree.finish();
      expect(digests(killed)).toEqual(digests(calm));
      expect(existsSync(runPaths(killed).learning)).toBe(false);
      expect(matches(killed)).toEqual(matches(calm));
      console.log(spree.summary());
      if (KILLS >= KILLS_FOR_EACH_STAGE) {
        for (const stage of STAGES) expect(spree.hits.get(stage), stage).toBeGreaterThan(0);
      }

      // Each generation's games are by the newest network that has passed the gate, with searches that grow.
      const gates = records<GateRecord>(calm, 'gates.jsonl');
      for (const [generation, simulations] of [
        [2, 4],
        [3, 7],
      ] as const) {
        const shards = await listShards(runPaths(calm).data(generation));
        const decoded = await Promise.all(shards.map((path) => readShard(path)));
        const player = playingGeneration(gates, generation - 1);
        expect(decoded.map(({ metadata }) => metadata.generation)).toEqual(shards.map(() => player));
        const sizes = decoded.flatMap(({ columns }) => [...columns.searchSizes]);
        expect(Math.max(...sizes)).toBe(simulations);
      }

      const metrics = records<MetricsRecord>(killed, 'metrics.jsonl');
      expect(metrics.map(({ generation }) => generation)).toEqual([1, 2, 3]);
      expect(new Set(records<MetricsRecord>(calm, 'metrics.jsonl').map(({ tensors }) => tensors)).size).toBe(
        1,
      );
      expect(matches(calm)).toMatchObject([
        ...[1, 2, 3].map((generation) => ({ generation, games: 4 })),
        { generation: 0, key: 'random' },
        { generation: 3, key: 'random' },
        { generation: 3, key: 'generation-0' },
      ]);
    },
  );

  test(
    'stops at Ctrl-C after the work in progress, prints how to resume, and resumes',
    { timeout: 120_000 },
    async () => {
      const out = join(folder, 'stopped');
      const { child, ended, onceSaid } = startTraining(
        '--config',
        join(folder, 'config.json'),
        '--out',
        out,
        '--json',
      );
      onceSaid('generation 1, games', () => child.kill('SIGINT'));
      const stopped = await ended;
      expect(stopped.code).toBe(0);
      expect(stopped.stderr).toContain(`gess train --out ${out} --resume`);
      expect(JSON.parse(stopped.stdout)).toMatchObject({ finished: false });
      const resumed = await train('--out', out, '--resume', '--json');
      expect(JSON.parse(resumed.stdout)).toMatchObject({ finished: true, generation: 3 });
    },
  );

  test(
    'that is killed in the middle of learning resumes from the saved steps',
    { timeout: 120_000 },
    async () => {
      const config = join(folder, 'long.json');
      const learner = {
        ...TINY_CONFIG.learner,
        batchSize: 256,
        warmStartPasses: 64,
        maxSteps: 40,
        saveEvery: 5,
      };
      writeFileSync(
        config,
        JSON.stringify({ ...TINY_CONFIG, learner, generations: 1, evaluation: { every: 0 } }),
      );
      const [straight, cut] = [join(folder, 'straight'), join(folder, 'cut')];
      expect((await train('--config', config, '--out', straight)).code).toBe(0);
      const { child, ended, onceSaid } = startTraining('--config', config, '--out', cut);
      onceSaid('20/40 steps', () => child.kill('SIGKILL'));
      expect((await ended).signal).toBe('SIGKILL');
      expect(existsSync(runPaths(cut).learning)).toBe(true);
      const { code, stderr } = await train('--out', cut, '--resume');
      expect(code, stderr).toBe(0);
      const done = /40 steps on \d+ positions, (?<done>\d+) done/.exec(stderr)?.groups?.['done'];
      expect(Number(done)).toBeGreaterThanOrEqual(15);
      expect(existsSync(runPaths(cut).learning)).toBe(false);
      expect(digests(cut)).toEqual(digests(straight));
    },
  );

  test('cannot be begun twice, nor by two processes', { timeout: 60_000 }, async () => {
    const out = join(folder, 'twice');
    const config = join(folder, 'config.json');
    const { child, ended } = startTraining('--config', config, '--out', out);
    let second: Promise<Ended> | undefined;
    child.stderr!.on('data', (text) => {
      if (String(text).includes('generation 1, games')) second ??= train('--out', out, '--resume');
    });
    child.stderr!.on('data', () => {
      void second?.then(() => child.kill('SIGKILL'));
    });
    await ended;
    const locked = await second!;
    expect(locked.code).toBe(1);
    expect(locked.stderr).toContain('[run-locked]');
    const begun = await train('--config', config, '--out', out);
    expect(begun.code).toBe(1);
    expect(begun.stderr).toContain('[run-exists]');
    writeFileSync(join(folder, 'other.json'), JSON.stringify({ ...TINY_CONFIG, seed: 8 }));
    const changed = await train('--config', join(folder, 'other.json'), '--out', out, '--resume');
    expect(changed.stderr).toContain('[run-changed]');
    // Without its run.json the folder still belongs to that run.
    rmSync(join(out, 'run.json'));
    const adopted = await train('--config', join(folder, 'other.json'), '--out', out);
    expect(adopted.stderr).toContain('[run-changed]');
  });
});
