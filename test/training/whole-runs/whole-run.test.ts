import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../../long-tests.js';
import { lockFolder } from '../../../data/files/lock.js';
import { listShards, readShard } from '../../../data/shards/shard.js';
import { playingGeneration } from '../../../training/run/gate-records.js';
import type { GateRecord, MetricsRecord } from '../../../training/run/run-records.js';
import { runPaths } from '../../../training/run/run-paths.js';
import { verify } from '../../../training/run/run-verification.js';
import { runGess, runGessJson } from '../../scripts/captured-output.js';
import { CalmRun, halfWritten } from './calm-run.js';
import { KillingSpree, STAGES } from './killing-spree.js';
import {
  digests,
  type Ended,
  matches,
  records,
  start,
  startTraining,
  TINY_CONFIG,
  train,
} from './tiny-run.js';
import { LAUNCHER } from '../../scripts/usage/launcher.js';

/** Number of kills; for more: `KILLS=100 npx vitest run test/training/whole-runs/whole-run.test.ts`. */
const KILLS = Number(process.env['KILLS'] ?? '1');
/** With this many kills each stage must be hit. */
const KILLS_FOR_EACH_STAGE = 20;

let calm: CalmRun;

beforeAll(async () => {
  calm = await CalmRun.train();
}, 300_000);

afterAll(() => {
  calm.remove();
});

/** The last saved step of a half-learnt generation in `folder`; 0 for none. */
function lastSavedStep(folder: string): number {
  if (!existsSync(folder)) return 0;
  const steps = readdirSync(folder).map((name) => Number(/^step-(\d+)$/.exec(name)?.[1] ?? 0));
  return Math.max(0, ...steps);
}

describe('a run', () => {
  test('makes networks from games', async () => {
    // The newest network that has passed the gate plays each generation's games.
    const gates = records<GateRecord>(calm.path, 'gates.jsonl');
    for (const generation of [2, 3]) {
      const shards = await listShards(runPaths(calm.path).data(generation));
      const decoded = await Promise.all(shards.map((path) => readShard(path)));
      const player = playingGeneration(gates, generation - 1);
      expect(decoded.map(({ metadata }) => metadata.generation)).toEqual(shards.map(() => player));
      const sizes = decoded.flatMap(({ columns }) => [...columns.searchSizes]);
      expect(Math.max(...sizes)).toBe(TINY_CONFIG.selfPlay.search.simulations);
    }

    const metrics = records<MetricsRecord>(calm.path, 'metrics.jsonl');
    expect(metrics.map(({ generation }) => generation)).toEqual([1, 2, 3]);
    expect(new Set(metrics.map(({ tensors }) => tensors)).size).toBe(1);
    expect(matches(calm.path)).toMatchObject([
      ...[1, 2, 3].map((generation) => ({ generation, games: 4 })),
      { generation: 0, key: 'random' },
      // The opponent that has not been played for the longest time comes first.
      { generation: 3, key: 'generation-0' },
      { generation: 3, key: 'random' },
    ]);
  });

  test(
    `that is killed resumes to the same bytes (KILLS=${KILLS})`,
    { timeout: 120_000 + KILLS * 20_000 },
    async () => {
      const spree = new KillingSpree(calm.config, join(calm.folder, 'killed'));
      while (spree.kills < KILLS) {
        const finished = await spree.kill();
        if (finished !== null) expect(digests(finished)).toEqual(calm.digests);
      }
      const killed = await spree.finish();
      calm.expectSame(killed);
      expect(existsSync(runPaths(killed).learning)).toBe(false);
      const metrics = records<MetricsRecord>(killed, 'metrics.jsonl');
      expect(metrics.map(({ generation }) => generation)).toEqual([1, 2, 3]);
      console.log(spree.summary());
      if (KILLS >= KILLS_FOR_EACH_STAGE) {
        for (const stage of STAGES) expect(spree.hits.get(stage), stage).toBeGreaterThan(0);
      }
    },
  );

  test(
    'stops at Ctrl-C after the work in progress, prints how to resume, and resumes',
    { timeout: 120_000 },
    async () => {
      const out = join(calm.folder, 'stopped');
      const short = ['--set', 'generations=1', '--set', 'evaluation.every=0'];
      const { child, ended, onceSaid } = startTraining(
        '--config',
        calm.config,
        ...short,
        '--out',
        out,
        '--json',
      );
      let locking: Promise<unknown> | undefined;
      onceSaid('generation 1, self-play', () => {
        // No other process can resume the run at the same time.
        locking = lockFolder(out).catch((error: unknown) => error);
        void locking.then(() => child.kill('SIGINT'));
      });
      const stopped = await ended;
      expect(await locking).toMatchObject({ code: 'run-locked' });
      expect(stopped.code).toBe(130);
      expect(stopped.stderr).toContain(`gess train --out ${out} --resume`);
      expect(JSON.parse(stopped.stdout)).toMatchObject({ finished: false });
      const resumed = await runGessJson('train', '--out', out, '--resume');
      expect(resumed).toMatchObject({ finished: true, generation: 1 });
    },
  );

  test.runIf(isLong)(
    'that is killed in the middle of learning resumes from the saved steps',
    { timeout: 120_000 },
    async () => {
      const config = join(calm.folder, 'long.json');
      const few = {
        warmStart: { ...TINY_CONFIG.warmStart, games: 8 },
        selfPlay: { ...TINY_CONFIG.selfPlay, games: 8 },
      };
      const learner = {
        ...TINY_CONFIG.learner,
        batchSize: 96,
        warmStartPasses: 64,
        maxSteps: 20,
        saveEvery: 3,
      };
      writeFileSync(
        config,
        JSON.stringify({ ...TINY_CONFIG, ...few, learner, generations: 1, evaluation: { every: 0 } }),
      );
      const [straight, cut] = [join(calm.folder, 'straight'), join(calm.folder, 'cut')];
      expect((await train('--config', config, '--out', straight)).code).toBe(0);
      const { child, ended } = startTraining('--config', config, '--out', cut);
      const watching = setInterval(() => {
        if (lastSavedStep(runPaths(cut).learning) >= 6) child.kill('SIGKILL');
      }, 2);
      expect((await ended).signal).toBe('SIGKILL');
      clearInterval(watching);
      expect(existsSync(runPaths(cut).learning)).toBe(true);
      const { code, stderr } = await train('--out', cut, '--resume');
      expect(code, stderr).toBe(0);
      const done = /20 steps on \d+ positions, (?<done>\d+) done/.exec(stderr)?.groups?.['done'];
      expect(Number(done)).toBeGreaterThanOrEqual(6);
      expect(existsSync(runPaths(cut).learning)).toBe(false);
      expect(digests(cut)).toEqual(digests(straight));
    },
  );

  test('cannot be begun twice, or while another process holds it', { timeout: 60_000 }, async () => {
    const { folder, config } = calm;
    const out = calm.copy('twice');
    const lock = await lockFolder(out);
    await expect(runGess('train', '--out', out, '--resume')).rejects.toMatchObject({ code: 'run-locked' });
    lock.release();
    const again = ['train', '--config', config, '--out', out];
    await expect(runGess(...again)).rejects.toMatchObject({ code: 'run-exists' });
    const other = join(folder, 'other.json');
    writeFileSync(other, JSON.stringify({ ...TINY_CONFIG, seed: 8 }));
    const changed = ['train', '--config', other, '--out', out];
    await expect(runGess(...changed, '--resume')).rejects.toMatchObject({ code: 'run-changed' });
    // Without its run.json the folder still belongs to that run.
    rmSync(join(out, 'run.json'));
    await expect(runGess(...changed)).rejects.toMatchObject({ code: 'run-changed' });
  });

  test.runIf(isLong)('cannot be resumed by two processes', { timeout: 60_000 }, async () => {
    const out = join(calm.folder, 'two-processes');
    const { child, ended, onceSaid } = startTraining('--config', calm.config, '--out', out);
    let second: Promise<Ended> | undefined;
    onceSaid('generation 1, self-play', () => {
      second = train('--out', out, '--resume');
      void second.then(() => child.kill('SIGKILL'));
    });
    await ended;
    const locked = await second!;
    expect(locked.code).toBe(1);
    expect(locked.stderr).toContain('[run-locked]');
  });
});

describe('a missing file', () => {
  const LINE_OF_GENERATION_2 = /.*"generation":2,.*\n/;

  function cutMetrics(run: string): void {
    const path = join(run, 'metrics.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').replace(LINE_OF_GENERATION_2, ''));
  }

  test('is reported, whichever it is', { timeout: 60_000 }, async () => {
    const run = calm.copy('lost');
    expect((await verify(run, { deep: false })).problems).toEqual([]);
    const names = [
      'run.json',
      'tensorboard/events.out.tfevents.0.gess-zero',
      'data/gen-000002/shard-000001.json',
      'data/gen-000001',
      'checkpoints/gen-000001',
      'checkpoints/gen-000003',
      'gates.jsonl',
    ];
    for (const name of names) {
      const path = join(run, name);
      rmSync(path, { recursive: true });
      const { problems } = await verify(run, { deep: false });
      expect(
        problems.map((problem) => [problem.path, problem.code]),
        name,
      ).toContainEqual([path, 'run-damaged']);
      cpSync(join(calm.path, name), path, { recursive: true });
    }
    cutMetrics(run);
    expect((await verify(run, { deep: false })).problems).toContainEqual({
      path: join(run, 'metrics.jsonl'),
      code: 'run-damaged',
      message: `expected a line of generation 2 in ${join(run, 'metrics.jsonl')}`,
    });
  });

  test('is restored by resuming the run, to the same bytes', { timeout: 120_000 }, async () => {
    const run = calm.copy('mended');
    const names = ['data/gen-000001/shard-000002.arrow', 'data/gen-000001/shard-000002.json'];
    for (const name of [...names, 'data/gen-000002/shard-000001.json', 'tensorboard']) {
      rmSync(join(run, name), { recursive: true });
    }
    await runGess('train', '--config', calm.config, '--out', run, '--resume');
    calm.expectSame(run);
    expect((await verify(run, { deep: false })).problems).toEqual([]);
  });

  test('that cannot be restored ends the run', { timeout: 60_000 }, async () => {
    const run = calm.copy('holed');
    cutMetrics(run);
    for (const more of [[], ['--set', 'generations=4']]) {
      await expect(runGess('train', '--out', run, '--resume', ...more)).rejects.toMatchObject({
        code: 'run-damaged',
        message: `expected a line of generation 2 in ${join(run, 'metrics.jsonl')}`,
      });
    }
  });
});

test(
  'a run without room for large files names the file, and resumes when there is room',
  { timeout: 120_000 },
  async () => {
    const run = join(calm.folder, 'limited');
    const words = [process.execPath, LAUNCHER, 'train', '--config', calm.config, '--out', run, '--resume'];
    const limits: [number, RegExp][] = [
      [1, /no room to write .*run\.json \(EFBIG\) \[disk-full\]/],
      [16, /no room to write .*weights\.bin \(EFBIG\) \[disk-full\]/],
    ];
    for (const [kilobytes, message] of isLong ? limits : limits.slice(1)) {
      // A limit on file size, which takes effect in the middle of a write.
      const script = `ulimit -f ${kilobytes}; exec "$@"`;
      const { code, stderr } = await start('bash', ['-c', script, 'bash', ...words]).ended;
      expect(stderr).toMatch(message);
      expect(stderr).not.toContain('    at ');
      expect(code).toBe(1);
      expect(halfWritten(run)).toEqual([]);
    }
    if (isLong) await calm.expectToFinish(run);
  },
);
