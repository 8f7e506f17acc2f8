import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { isLong } from '../../../long-tests.js';
import { runMatch } from '../../../../training/matches/match-run.js';
import { MatchSettings } from '../../../../training/matches/match-settings.js';
import type { ShardJob } from '../../../../training/self-play/shard-job.js';
import { playShard } from '../../../../training/self-play/shard-play.js';
import { NatsPool, type NatsPoolOptions } from '../../../../training/workers/pool/coordinator/nats-pool.js';
import { FILES_STREAM, SHARDS_STREAM } from '../../../../training/workers/pool/wire/pool-subjects.js';
import { readTicket } from '../../../../training/workers/pool/wire/pool-ticket.js';
import { connectToPool } from '../../../../training/workers/pool/wire/server-connection.js';
import { runPoolWorker, type WorkerRunOptions } from '../../../../training/workers/pool/worker/worker-run.js';
import { ownIdentity } from '../../../../training/workers/pool/wire/worker-identity.js';
import { ProcessPool } from '../../../../training/workers/process-pool.js';
import { temporaryFolder } from '../../../data/temporary-folder.js';
import { Liar } from './liar.js';
import { hasNatsServer, NatsServer } from './nats-server.js';
import { GAME, planned } from './shard-jobs.js';
import { bytesOf } from '../../self-play/shard-bytes.js';

/** The same jobs in another folder. */
function elsewhere(jobs: readonly ShardJob[]): readonly ShardJob[] {
  const folder = temporaryFolder();
  return jobs.map((job) => ({ ...job, path: join(folder, basename(job.path)) }));
}

/** The bytes of the shards when this process makes them. */
async function ownBytes(jobs: readonly ShardJob[]): Promise<readonly Buffer[]> {
  const own = elsewhere(jobs);
  for (const job of own) await playShard(job);
  return bytesOf(own);
}

describe.skipIf(!hasNatsServer)('many machines', () => {
  let server: NatsServer;

  beforeAll(async () => {
    server = await NatsServer.start();
  });

  afterAll(() => server.remove());

  /** Starts a coordinator; also returns its messages. */
  async function coordinator(
    options: Partial<NatsPoolOptions> = {},
  ): Promise<{ readonly pool: NatsPool; readonly said: string[] }> {
    const said: string[] = [];
    const pool = await NatsPool.open(await readTicket(server.url), {
      processes: 1,
      tickMs: 200,
      onMessage: (text) => said.push(text),
      ...options,
    });
    onTestFinished(() => pool.dispose());
    return { pool, said };
  }

  /** Runs a worker with one process; resolves at the end of the test, or rejects if the worker is refused. */
  async function worker(options: Partial<WorkerRunOptions> = {}): ReturnType<typeof runPoolWorker> {
    const end = new AbortController();
    const running = runPoolWorker(await readTicket(server.url), {
      processes: 1,
      player: temporaryFolder(),
      onMessage: () => undefined,
      signal: end.signal,
      beatMs: 200,
      ...options,
    });
    onTestFinished(async () => {
      end.abort();
      await running.catch(() => undefined);
    });
    return running;
  }

  test('make the shards that one machine makes', async () => {
    const jobs = await planned(10);
    const { pool } = await coordinator();
    void worker();
    void worker();
    let games = 0;
    const reports = await pool.playShards(jobs, { onGame: (finished) => (games = finished) });
    expect(reports.map(({ path }) => path)).toEqual(jobs.map(({ path }) => path));
    expect(games).toBe(40);
    expect(await bytesOf(jobs)).toEqual(await ownBytes(jobs));
    // Existing shards are kept.
    const again = await pool.playShards(jobs);
    expect(again.map(({ effort }) => effort)).toEqual(jobs.map(() => null));
  });

  test.runIf(isLong)(
    'count all games of a shard even if the worker reported none of them earlier',
    async () => {
      const jobs = await planned(10);
      const { pool } = await coordinator({ tickMs: 60_000, isOutsourced: true });
      void worker({ beatMs: 3_600_000 });
      const counts: number[] = [];
      await pool.playShards(jobs, { onGame: (finished) => counts.push(finished) });
      expect(counts.at(-1)).toBe(40);
      expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    },
  );

  test('play the match that one machine plays', async () => {
    const match = MatchSettings.parse({
      game: GAME,
      agent: 'alphabeta:depth=2',
      opponent: 'alphabeta:depth=1',
      games: 40,
      seed: 3,
      openings: { plies: 6 },
    });
    const own = new ProcessPool(1);
    onTestFinished(() => own.dispose());
    const { pool } = await coordinator();
    void worker();
    const results = [];
    for (const each of [own, pool]) {
      const { result } = await runMatch(match, {
        processes: 4,
        play: (jobs, listener, signal) => each.playMatch(jobs, listener, signal),
      });
      results.push({ ...result, msPerMove: null });
    }
    expect(results[1]).toEqual(results[0]);
  });

  test('with other versions are told what to install', async () => {
    await coordinator();
    const identity = { ...ownIdentity(1), version: '99.0.0' };
    await expect(worker({ identity })).rejects.toMatchObject({
      code: 'pool-version',
      message: expect.stringContaining('npm install gess-zero@') as string,
    });
  });

  test('that lie are found, and their games are played again', { timeout: 120_000 }, async () => {
    const jobs = await planned(8);
    const expected = await ownBytes(jobs);
    const book = join(temporaryFolder(), 'workers.jsonl');
    const { pool, said } = await coordinator({ book });
    for (const trick of Liar.tricks) {
      const liar = await Liar.join(server.url, trick, { folder: temporaryFolder() });
      const own = elsewhere(jobs);
      const [, found] = await Promise.all([pool.playShards(own), liar.lieOnce()]);
      expect(found, trick).toMatchObject({ hasLied: true, isFound: true });
      expect(await bytesOf(own), trick).toEqual(expected);
      expect(said.join('\n'), trick).toContain(`suspended the worker ${liar.key}`);
      expect(readFileSync(book, 'utf8')).toContain(liar.key);
    }
  });

  test.runIf(isLong)(
    'with another processor that send games of another seed are found',
    { timeout: 120_000 },
    async () => {
      const jobs = await planned(8);
      const { pool, said } = await coordinator({ anyProcessor: true });
      const place = { folder: temporaryFolder(), fingerprint: 'f'.repeat(64) };
      const liar = await Liar.join(server.url, 'games of another seed', place);
      const [, found] = await Promise.all([pool.playShards(jobs), liar.lieOnce()]);
      expect(found).toMatchObject({ hasLied: true, isFound: true });
      expect(said.join('\n')).toContain('positions differ when they are searched again');
      expect(await bytesOf(jobs)).toEqual(await ownBytes(jobs));
    },
  );

  test('with another processor are accepted with --any-processor, and recorded', async () => {
    const jobs = await planned(4);
    const book = join(temporaryFolder(), 'workers.jsonl');
    const { pool, said } = await coordinator({ anyProcessor: true, isOutsourced: true, book });
    const place = { folder: temporaryFolder(), fingerprint: 'f'.repeat(64) };
    const stranger = await Liar.join(server.url, 'no lie', place);
    const end = new AbortController();
    const playing = stranger.lieOnce(end.signal);
    expect(await pool.playShards(jobs)).toHaveLength(4);
    end.abort();
    expect(await playing).toMatchObject({ refusal: null });
    const own = elsewhere(jobs);
    for (const [index, job] of own.entries()) {
      await playShard(job);
      expect(await readFile(jobs[index]!.path)).toEqual(await readFile(job.path));
      const manifest = JSON.parse(
        await readFile(jobs[index]!.path.replace('.arrow', '.json'), 'utf8'),
      ) as object;
      expect(manifest).toMatchObject({ details: { processor: { fingerprint: place.fingerprint } } });
    }
    expect(said.filter((text) => text.includes('no longer repeatable to the bit'))).toHaveLength(1);
    const lines = readFileSync(book, 'utf8').trim().split('\n');
    const entries = lines.map(
      (line) => JSON.parse(line) as { readonly job: string; readonly fingerprint: string },
    );
    expect(new Set(entries.map(({ job }) => job)).size).toBe(4);
    expect(new Set(entries.map(({ fingerprint }) => fingerprint))).toEqual(new Set([place.fingerprint]));
  });

  test('with another processor are refused by default', async () => {
    const { pool } = await coordinator();
    const place = { folder: temporaryFolder(), fingerprint: 'f'.repeat(64) };
    const stranger = await Liar.join(server.url, 'no lie', place);
    const asking = stranger.lieOnce();
    const refusal = asking.then(() => 'refused' as const);
    const batch = async (): Promise<'played'> => {
      await pool.playShards(await planned(4));
      return 'played';
    };
    while ((await Promise.race([refusal, batch()])) === 'played');
    expect(await asking).toEqual({ hasLied: false, isFound: false, refusal: 'pool-fingerprint' });
  });

  test('keep the files of a run that lasts for weeks', async () => {
    const { nc, jsm } = await connectToPool(await readTicket(server.url));
    onTestFinished(() => nc.close());
    const ageOf = async (): Promise<number> => (await jsm.streams.info(FILES_STREAM)).config.max_age;
    await (await coordinator()).pool.dispose();
    expect(await ageOf()).toBe(0);
    // As made by an earlier version.
    await jsm.streams.update(FILES_STREAM, { max_age: 3.6e12 });
    await coordinator();
    expect(await ageOf()).toBe(0);
  });

  test('find the files of the batch in progress at the server, not those of earlier ones', async () => {
    const { nc, jsm } = await connectToPool(await readTicket(server.url));
    onTestFinished(() => nc.close());
    const parts = async (): Promise<number> => (await jsm.streams.info(FILES_STREAM)).state.messages;
    const { pool } = await coordinator();
    void worker();
    const agent = 'mcts:model=connect-four,simulations=2';
    await pool.playShards(await planned(1, agent));
    expect(await parts()).toBeGreaterThan(0);
    await pool.playShards(await planned(1));
    expect(await parts()).toBe(0);
    const jobs = await planned(2, agent);
    await pool.playShards(jobs);
    expect(await parts()).toBeGreaterThan(0);
    expect(await bytesOf(jobs)).toEqual(await ownBytes(jobs));
  });

  test('end the batch with an error if their results cannot be recorded', async () => {
    const book = join(temporaryFolder(), 'gone', 'workers.jsonl');
    const { pool } = await coordinator({ book, isOutsourced: true });
    void worker();
    await expect(pool.playShards(await planned(1))).rejects.toMatchObject({ code: 'write-failed' });
  });

  test('that lie are suspended even if that cannot be recorded', async () => {
    const book = join(temporaryFolder(), 'gone', 'workers.jsonl');
    const { pool, said } = await coordinator({ book, isOutsourced: true });
    const liar = await Liar.join(server.url, 'no shard', { folder: temporaryFolder() });
    const lying = liar.lieOnce();
    await expect(pool.playShards(await planned(1))).rejects.toMatchObject({ code: 'write-failed' });
    expect(said.join('\n')).toContain(`suspended the worker ${liar.key}`);
    expect(await lying).toMatchObject({ isFound: true });
  });

  test('leave nothing at the server by a result of an earlier batch', async () => {
    const { nc, jsm } = await connectToPool(await readTicket(server.url));
    onTestFinished(() => nc.close());
    const parts = async (): Promise<number> => (await jsm.streams.info(SHARDS_STREAM)).state.messages;
    const { pool } = await coordinator();
    await jsm.streams.purge(SHARDS_STREAM);
    const late = await Liar.join(server.url, 'no lie', { folder: temporaryFolder() });
    await late.sendResult('f'.repeat(64), (await planned(1))[0]!);
    expect(await parts()).toBe(1);
    await pool.playShards(await planned(1));
    await expect.poll(parts).toBe(0);
  });

  test('refuse a second coordinator', async () => {
    await coordinator();
    await expect(coordinator()).rejects.toMatchObject({ code: 'pool-busy' });
  });
});

test('an unreachable server is named', async () => {
  const ticket = await readTicket('nats://127.0.0.1:1');
  await expect(NatsPool.open(ticket, { processes: 1 })).rejects.toMatchObject({
    code: 'pool-unreachable',
    message: expect.stringContaining('nats://127.0.0.1:1') as string,
  });
});

test.each(['http://a', 'nats://', 'no-such-file.json'])('a pool at %s is refused', async (text) => {
  await expect(readTicket(text)).rejects.toMatchObject({ code: 'pool-address', exitCode: 2 });
});
