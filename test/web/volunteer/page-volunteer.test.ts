import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { SelfPlayConfig } from '../../../training/config/groups/self-play-config.js';
import { takeFingerprint } from '../../../training/self-play/fingerprint-job.js';
import { withKernels } from '../../../training/self-play/model-kernels.js';
import { shardOf } from '../../../training/self-play/shard-content.js';
import { planShards, type ShardJob } from '../../../training/self-play/shard-job.js';
import { playJobGames } from '../../../training/self-play/shard-play.js';
import { encodeShard } from '../../../data/shards/shard-encoding.js';
import { createGame } from '../../../env/games.js';
import { NatsPool } from '../../../training/workers/pool/coordinator/nats-pool.js';
import { makePool } from '../../../training/workers/pool/setup/pool-folder.js';
import { readTicket } from '../../../training/workers/pool/wire/pool-ticket.js';
import { ownIdentity } from '../../../training/workers/pool/wire/worker-identity.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { freePort, hasNatsServer, NatsServer } from '../../training/workers/pool/nats-server.js';
import { axeFindings } from '../axe-findings.js';
import { missingForPage, type OpenedPage, PageBrowser } from '../open-page.js';

const GAME = { id: 'connect-four', rules: 'default' };
const MODEL = join(import.meta.dirname, '../../../models/connect-four/model-legal.onnx');
const PATIENCE_MS = 120_000;

const canRun = missingForPage() === null && hasNatsServer;

/** Two jobs of two short games of the shipped network each. */
function planned(): Promise<readonly ShardJob[]> {
  const config = SelfPlayConfig.parse({ search: { simulations: 8 }, concurrentGames: 2 });
  return planShards({
    folder: temporaryFolder(),
    game: GAME,
    source: { kind: 'network', modelPath: MODEL, config },
    ...{ seed: 3, generation: 1, firstGame: 0, games: 4, gamesPerShard: 2 },
    softwareVersion: ownIdentity(1).version,
  });
}

/** The shard of a job as Node plays it with ONNX Runtime's WebAssembly. */
async function portableShard(job: ShardJob): Promise<Uint8Array> {
  const game = createGame(GAME.id, GAME.rules);
  const { games } = await withKernels('portable', (openModel) => playJobGames(game, job, { openModel }));
  const { columns, metadata } = shardOf(game, job, games);
  return encodeShard(columns, metadata);
}

describe.skipIf(!canRun)('a browser that plays for a pool', { timeout: PATIENCE_MS }, () => {
  let outer: string;
  let folder: string;
  let url: string;
  let server: NatsServer;
  let browser: PageBrowser;

  beforeAll(async () => {
    outer = mkdtempSync(join(tmpdir(), 'gess-volunteer-'));
    folder = join(outer, 'pool');
    const [port, webPort] = [await freePort(), await freePort()];
    await makePool(folder, { hosts: ['127.0.0.1'], port, webPort, workers: 3, hasTls: false, storeGib: 1 });
    url = `ws://127.0.0.1:${webPort}`;
    server = await NatsServer.startConfigured(join(folder, 'server'), port);
    browser = await PageBrowser.launch(new Map(), url);
  });

  afterAll(async () => {
    await browser.close();
    await server.remove();
    rmSync(outer, { recursive: true });
  });

  async function coordinator(
    anyProcessor: boolean,
  ): Promise<{ readonly pool: NatsPool; readonly said: string[] }> {
    const said: string[] = [];
    const pool = await NatsPool.open(await readTicket(join(folder, 'coordinator.json')), {
      ...{ processes: 1, isOutsourced: true, anyProcessor, tickMs: 1000 },
      onMessage: (text) => said.push(text),
    });
    onTestFinished(() => pool.dispose());
    return { pool, said };
  }

  /** The page, with the credentials of a worker, started. */
  async function volunteer(worker: string): Promise<OpenedPage> {
    const opened = await browser.open('volunteer.html');
    const { page } = opened;
    await page.getByLabel('File with credentials').setInputFiles(join(folder, `${worker}.json`));
    await page.getByRole('button', { name: 'Start' }).click();
    return opened;
  }

  test('plays shards that are judged to the byte, and equal those of Node with WebAssembly', async () => {
    const { pool, said } = await coordinator(true);
    const jobs = await planned();
    const { page, problems } = await volunteer('worker-1');
    const reports = await pool.playShards(jobs);
    expect(reports).toHaveLength(jobs.length);
    const portable = await takeFingerprint({ game: GAME, modelPath: MODEL, kernels: 'portable' });
    for (const job of jobs) {
      expect(Buffer.compare(readFileSync(job.path), await portableShard(job))).toBe(0);
      const manifest = JSON.parse(readFileSync(job.path.replace('.arrow', '.json'), 'utf8')) as {
        readonly details: { readonly processor: unknown };
      };
      expect(manifest.details.processor).toEqual({ fingerprint: portable, kernels: 'portable' });
    }
    expect(said.join('\n')).not.toContain('suspended');
    await expect.poll(() => page.locator('#shards').textContent()).toBe('2');
    expect(await page.locator('#games').textContent()).toBe('4');
    expect(await axeFindings(page)).toEqual([]);

    await page.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => page.getByRole('status').textContent()).toBe('Stopped.');
    expect(problems).toEqual([]);
  });

  test('is refused by default, with what helps', async () => {
    const { pool, said } = await coordinator(false);
    const end = new AbortController();
    const playing = pool.playShards(await planned(), { signal: end.signal });
    const { page } = await volunteer('worker-2');
    const state = (): Promise<string | null> => page.getByRole('status').textContent();
    await expect
      .poll(state, { timeout: PATIENCE_MS })
      .toContain('start the coordinator with --any-processor');
    expect(await state()).toContain('[pool-fingerprint]');
    expect(said.join('\n')).toContain('refused the worker');
    end.abort();
    await playing;
  });

  test('is told what is wrong with its credentials', async () => {
    const { page } = await browser.open('volunteer.html');
    const start = page.getByRole('button', { name: 'Start' });
    const state = (): Promise<string | null> => page.getByRole('status').textContent();
    await start.click();
    await expect.poll(state).toContain('expected the address of a pool');
    await page.getByLabel('Or the address').fill(url);
    await start.click();
    await expect.poll(state).toContain('[pool-refused]');
  });

  test('cannot reach another server than the one that gess serve names', async () => {
    let connections = 0;
    const other = createServer(() => (connections += 1)).listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as { readonly port: number };
    const { page } = await browser.open('volunteer.html');
    await page.getByLabel('Or the address').fill(`ws://127.0.0.1:${port}`);
    await page.getByRole('button', { name: 'Start' }).click();
    await expect.poll(() => page.getByRole('status').textContent()).toContain('[pool-unreachable]');
    expect(connections).toBe(0);
  });
});
