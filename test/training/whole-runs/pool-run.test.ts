import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../../long-tests.js';
import type { MetricsRecord } from '../../../training/run/run-records.js';
import { hasNatsServer, NatsServer } from '../workers/pool/nats-server.js';
import { CalmRun } from './calm-run.js';
import { PoolFaults } from './pool-faults.js';
import { records, type Started, start, train } from './tiny-run.js';
import { LAUNCHER } from '../../scripts/usage/launcher.js';

/** Faults of the long form: `LONG_TESTS=1 FAULTS=30 npx vitest run test/training/whole-runs/pool-run.test.ts`. */
const FAULTS = Number(process.env['FAULTS'] ?? '30');

/** The facts that differ from one run to another. */
const TIMES = new Set(['samplesPerSecond', 'preparationShare', 'seconds']);

/** A run's metrics, without times, memory and the id of the process. */
function metrics(run: string): unknown {
  return records<MetricsRecord>(run, 'metrics.jsonl').map((record) => {
    const { generation, games, shards, learning, windowRows, replay } = record;
    const all = { generation, games, shards, learning, windowRows, replay };
    return JSON.parse(
      JSON.stringify(all, (key, value: unknown) => (TIMES.has(key) ? null : value)),
    ) as unknown;
  });
}

describe.runIf(hasNatsServer && isLong)('a run on many machines', () => {
  let calm: CalmRun;

  beforeAll(async () => {
    calm = await CalmRun.train();
  }, 120_000);

  afterAll(() => {
    calm.remove();
  });

  test('has the bytes of a run on one machine', { timeout: 240_000 }, async () => {
    const server = await NatsServer.start();
    const workers: Started[] = [];
    try {
      for (const name of ['one', 'two', 'three']) {
        const words = [
          'worker',
          '--pool',
          server.url,
          '--processes',
          '1',
          '--cache',
          join(calm.folder, name),
        ];
        workers.push(start(process.execPath, [LAUNCHER, ...words]));
      }
      const run = join(calm.folder, 'pool');
      const { code, stderr } = await train('--config', calm.config, '--out', run, '--pool', server.url);
      expect(stderr).not.toContain('    at ');
      expect(code, stderr).toBe(0);
      calm.expectSame(run);
      expect(metrics(run)).toEqual(metrics(calm.path));
      const makers = new Set(records<{ worker: string }>(run, 'workers.jsonl').map(({ worker }) => worker));
      expect(makers.size).toBeGreaterThan(0);
    } finally {
      for (const { child } of workers) child.kill('SIGINT');
      for (const { ended } of workers) expect((await ended).code).toBe(0);
      await server.remove();
    }
  });

  test(`survives faults (FAULTS=${FAULTS})`, { timeout: 300_000 + FAULTS * 60_000 }, async () => {
    const faults = await PoolFaults.start(calm);
    try {
      while (faults.count < FAULTS) await faults.next();
      await faults.finish();
    } finally {
      await faults.dispose();
    }
    console.log(faults.summary());
    expect(faults.count).toBe(FAULTS);
    expect(faults.shards).toBeGreaterThan(0);
  });
});
