import { expect, onTestFinished, test } from 'vitest';
import { isLong } from '../../long-tests.js';
import { start } from '../../training/whole-runs/tiny-run.js';
import { hasNatsServer, NatsServer } from '../../training/workers/pool/nats-server.js';
import { LAUNCHER } from '../usage/launcher.js';

test.runIf(isLong && hasNatsServer)(
  'pool simulate measures each number of workers, and the server',
  async () => {
    const server = await NatsServer.start();
    onTestFinished(() => server.remove());
    const of = ['--pool', server.url, '--workers', '1,2', '--server-pid', String(server.pid)];
    const jobs = ['--recordings', '1', '--games', '2', '--rounds', '1', '--job-seconds', '4'];
    const words = [LAUNCHER, 'pool', 'simulate', ...of, ...jobs, '--json'];
    const { code, stdout, stderr } = await start(process.execPath, words).ended;
    expect(code, stderr).toBe(0);
    const figures = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly seconds: number });
    const serverCores = expect.any(Number) as number;
    expect(figures).toMatchObject([
      { workers: 1, jobs: 1, serverCores },
      { workers: 2, jobs: 2, serverCores },
    ]);
    // Each worker has one job of four seconds, which took less than a second of a processor when it was recorded.
    for (const { seconds } of figures) expect(seconds).toBeGreaterThan(3.9);
  },
);
