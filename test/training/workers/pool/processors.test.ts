import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { SelfPlayConfig } from '../../../../training/config/groups/self-play-config.js';
import { takeFingerprint } from '../../../../training/self-play/fingerprint-job.js';
import { planShards, type ShardJob } from '../../../../training/self-play/shard-job.js';
import { NatsPool } from '../../../../training/workers/pool/coordinator/nats-pool.js';
import { readTicket } from '../../../../training/workers/pool/wire/pool-ticket.js';
import { ownIdentity } from '../../../../training/workers/pool/wire/worker-identity.js';
import { temporaryFolder } from '../../../data/temporary-folder.js';
import { type Started, start } from '../../whole-runs/tiny-run.js';
import { hasNatsServer, NatsServer } from './nats-server.js';
import { builtModule } from '../../../package/built-module.js';
import { isLong } from '../../../long-tests.js';

const GAME = { id: 'connect-four', rules: 'default' };
const MODEL = join(import.meta.dirname, '../../../../models/connect-four/model-legal.onnx');

/** The main module; the launcher would compile on the emulated processor if a source had changed. */
const MAIN = builtModule('scripts/main.js');

/** A processor with SSE4.2 and without AVX, on which ONNX Runtime's sums have other last bits. */
const EMULATOR = 'qemu-x86_64 -cpu Nehalem';
const isX64Linux = process.platform === 'linux' && process.arch === 'x64';
const hasEmulator = isX64Linux && spawnSync('qemu-x86_64', ['--version']).status === 0;
// .ci/run installs both, so the tests are not skipped there.
const mustRun = process.env['CI'] === 'true' && isX64Linux;
const canRun = mustRun || (isLong && hasNatsServer && hasEmulator);

if (!canRun)
  console.log(
    'LONG_TESTS=1, qemu-x86_64 and nats-server test two processors: apt-get install qemu-user nats-server',
  );

/** Two jobs of one short game of the shipped network each. */
function planned(): Promise<readonly ShardJob[]> {
  const search = { simulations: 4 };
  return planShards({
    folder: temporaryFolder(),
    game: GAME,
    source: {
      kind: 'network',
      modelPath: MODEL,
      config: SelfPlayConfig.parse({ search, concurrentGames: 1 }),
    },
    ...{ seed: 2, generation: 1, firstGame: 0, games: 2, gamesPerShard: 1 },
    softwareVersion: ownIdentity(1).version,
  });
}

/** Starts `gess worker` with playing processes on an emulated processor. */
function startEmulatedWorker(url: string): Started {
  const folder = temporaryFolder();
  const node = join(folder, 'node');
  writeFileSync(node, `#!/bin/sh\nexec ${EMULATOR} "${process.execPath}" "$@"\n`);
  chmodSync(node, 0o755);
  const preload = join(folder, 'preload.mjs');
  writeFileSync(preload, `process.execPath = ${JSON.stringify(node)};\n`);
  const words = ['worker', '--pool', url, '--processes', '1', '--cache', join(folder, 'cache')];
  return start(process.execPath, ['--import', pathToFileURL(preload).href, MAIN, ...words]);
}

describe.skipIf(!canRun)('a worker with another processor', { timeout: 600_000 }, () => {
  let server: NatsServer;

  beforeAll(async () => {
    server = await NatsServer.start();
  });

  afterAll(() => server.remove());

  async function play(
    anyProcessor: boolean,
    until: (worker: Started) => Promise<unknown>,
  ): Promise<{
    readonly jobs: readonly ShardJob[];
    readonly worker: Started;
    readonly said: readonly string[];
  }> {
    const said: string[] = [];
    const pool = await NatsPool.open(await readTicket(server.url), {
      ...{ processes: 1, isOutsourced: true, anyProcessor, tickMs: 1000 },
      onMessage: (text) => said.push(text),
    });
    onTestFinished(() => pool.dispose());
    const jobs = await planned();
    const worker = startEmulatedWorker(server.url);
    onTestFinished(async () => {
      worker.child.kill('SIGKILL');
      await worker.ended;
    });
    const end = new AbortController();
    const playing = pool.playShards(jobs, { signal: end.signal });
    await Promise.race([playing, until(worker)]);
    end.abort();
    await playing;
    return { jobs, worker, said };
  }

  test('is refused by default, with a remedy', async () => {
    const { worker, said } = await play(false, ({ ended }) => ended);
    const { code, stderr } = await worker.ended;
    expect(code, stderr).toBe(1);
    expect(stderr).toContain('start the coordinator with --any-processor');
    expect(stderr).toContain('[pool-fingerprint]');
    expect(said.join('\n')).toContain('refused the worker');
  });

  test('plays with --any-processor; its shards are judged with WebAssembly and recorded', async () => {
    const { jobs, said } = await play(true, ({ ended }) => ended);
    const own = await takeFingerprint({ game: GAME, modelPath: MODEL, kernels: 'native' });
    for (const { path } of jobs) {
      const manifest = JSON.parse(readFileSync(path.replace('.arrow', '.json'), 'utf8')) as {
        readonly details: { readonly processor: { readonly fingerprint: string } };
      };
      expect(manifest.details.processor.fingerprint).toMatch(/^[0-9a-f]{64}$/);
      expect(manifest.details.processor.fingerprint).not.toBe(own);
    }
    expect(said.join('\n')).toContain('the run is no longer repeatable to the bit');
    expect(said.join('\n')).not.toContain('suspended');
  });
});
