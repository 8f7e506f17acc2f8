import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { isLong } from '../../../long-tests.js';
import { runGess, runGessJson } from '../../../scripts/captured-output.js';
import { CodedError } from '../../../../env/errors.js';
import { planShards } from '../../../../training/self-play/shard-job.js';
import { WarmStartConfig } from '../../../../training/config/groups/warm-start-config.js';
import { NatsPool } from '../../../../training/workers/pool/coordinator/nats-pool.js';
import { addWorkers, makePool, removeWorker } from '../../../../training/workers/pool/setup/pool-folder.js';
import type { PoolMembers } from '../../../../training/workers/pool/setup/pool-members.js';
import { getContent, putContent, refOf } from '../../../../training/workers/pool/wire/content-stream.js';
import { ensureStreams } from '../../../../training/workers/pool/coordinator/pool-streams.js';
import type { PoolConnection } from '../../../../training/workers/pool/wire/pool-connection.js';
import { connectToPool } from '../../../../training/workers/pool/wire/server-connection.js';
import { askStatus } from '../../../../training/workers/pool/wire/pool-status.js';
import {
  FILES_STREAM,
  fileSubject,
  inboxPrefix,
  resultSubject,
  RESULTS_STREAM,
  shardSubject,
  SHARDS_STREAM,
  workerSubject,
} from '../../../../training/workers/pool/wire/pool-subjects.js';
import { type PoolTicket, readTicket } from '../../../../training/workers/pool/wire/pool-ticket.js';
import { runPoolWorker } from '../../../../training/workers/pool/worker/worker-run.js';
import { ownIdentity } from '../../../../training/workers/pool/wire/worker-identity.js';
import { temporaryFolder } from '../../../data/temporary-folder.js';
import { freePort, hasNatsServer, NatsServer } from './nats-server.js';

const FILE = new TextEncoder().encode('a network');
const FILE_REF = await refOf(FILE);

describe.skipIf(!hasNatsServer)('a server of gess pool init', () => {
  let root: string;
  let folder: string;
  let server: NatsServer;
  let coordinator: PoolConnection;
  let other: string;

  const ticket = (name: string): Promise<PoolTicket> => readTicket(join(folder, `${name}.json`));
  /** The code of the error with which the server refuses a ticket; null if it lets it in. */
  const refusalOf = async (held: PoolTicket): Promise<unknown> => {
    try {
      const { nc } = await connectToPool(held);
      await nc.close();
      return null;
    } catch (error) {
      return error instanceof CodedError ? error.code : error;
    }
  };
  const open = async (name: string): Promise<PoolConnection> => {
    const connection = await connectToPool(await ticket(name));
    onTestFinished(() => connection.nc.close());
    return connection;
  };

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'gess-pool-'));
    folder = join(root, 'pool');
    const port = await freePort();
    await makePool(folder, {
      hosts: ['127.0.0.1'],
      port,
      workers: 2,
      hasTls: true,
      storeGib: 5,
    });
    server = await NatsServer.startConfigured(join(folder, 'server'), port);
    coordinator = await connectToPool(await ticket('coordinator'));
    await ensureStreams(coordinator);
    await putContent(coordinator.js, FILE, (part) => fileSubject(FILE_REF.sha256, part));
    other = (await ticket('worker-2')).key.getPublicKey();
  });

  afterAll(async () => {
    await coordinator.nc.close();
    await server.remove();
    rmSync(root, { recursive: true });
  });

  const messagesOf = async (stream: string): Promise<number> =>
    (await coordinator.jsm.streams.info(stream)).state.messages;

  test('is readable by its owner only', () => {
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'worker-1.json')).mode & 0o777).toBe(0o600);
  });

  test('lets a worker read files and send each shard and result once, under its own key', async () => {
    const { jsm, js, publicKey } = await open('worker-1');
    const read = await getContent(jsm, FILES_STREAM, FILE_REF, (part) => fileSubject(FILE_REF.sha256, part));
    expect(read).toEqual(FILE);
    await putContent(js, FILE, (part) => shardSubject(publicKey, FILE_REF.sha256, part));
    const once = { expect: { lastSubjectSequence: 0 } };
    await js.publish(resultSubject(publicKey, 'a'), 'first', once);
    await expect(js.publish(resultSubject(publicKey, 'a'), 'second', once)).rejects.toMatchObject({
      code: 10071,
    });
  });

  const foreign: readonly (readonly [string, (key: string) => string])[] = [
    ['results of another', (key) => resultSubject(key, 'b')],
    ['shards of another', (key) => shardSubject(key, FILE_REF.sha256, 7)],
    ['requests of another', (key) => workerSubject(key, 'take')],
    ['files', () => fileSubject('0'.repeat(64), 0)],
    ['the wake-up', () => 'gess.wake'],
    ['the state', () => 'gess.status'],
    ['streams to delete', () => `$JS.API.STREAM.DELETE.${FILES_STREAM}`],
    ['streams to purge', () => `$JS.API.STREAM.PURGE.${RESULTS_STREAM}`],
    ['streams to list', () => '$JS.API.STREAM.NAMES'],
    ['a consumer of results', () => `$JS.API.CONSUMER.CREATE.${RESULTS_STREAM}`],
    ['messages to delete', () => `$JS.API.STREAM.MSG.DELETE.${RESULTS_STREAM}`],
    ['results to read', (key) => `$JS.API.DIRECT.GET.${RESULTS_STREAM}.${resultSubject(key, 'a')}`],
    ['shards to read', (key) => `$JS.API.DIRECT.GET.${SHARDS_STREAM}.${shardSubject(key, 'a', 0)}`],
    ['answers of another', (key) => `${inboxPrefix(key)}.x`],
  ];

  test.each(foreign)('does not let a worker publish %s', async (_name, subjectOf) => {
    const { nc } = await open('worker-1');
    await expect(nc.request(subjectOf(other), '{}', { timeout: 3000 })).rejects.toSatisfy((error: Error) =>
      /permissions violation/i.test(`${error.message} ${String(error.cause)}`),
    );
  });

  const heard: readonly (readonly [string, () => string])[] = [
    ['results', () => 'gess.results.*.*'],
    ['everything', () => '>'],
    ['answers of another', () => `${inboxPrefix(other)}.>`],
    ['answers of all', () => '*.>'],
    ['requests of another', () => workerSubject(other, 'take')],
  ];

  test.each(heard)('does not let a worker listen to %s', async (_name, subjectOf) => {
    const { nc } = await open('worker-1');
    const refused = new Promise<Error | undefined>((resolve) => {
      nc.subscribe(subjectOf(), {
        callback: (error) => {
          resolve(error as Error | undefined);
        },
      });
    });
    expect(String(await refused)).toMatch(/permissions violation/i);
  });

  // A sender names the subject of the server's answer, and the server does not check permissions for that subject.
  test('does not act on its own answers: with them, a worker cannot purge a stream or write as another', async () => {
    const { nc, publicKey } = await open('worker-1');
    const before = [await messagesOf(FILES_STREAM), await messagesOf(RESULTS_STREAM)];
    for (const [part, stream] of [FILES_STREAM, RESULTS_STREAM, SHARDS_STREAM].entries()) {
      const reply = `$JS.API.STREAM.PURGE.${stream}`;
      nc.publish(shardSubject(publicKey, 'c'.repeat(64), part), 'x', { reply });
    }
    const read = `$JS.API.DIRECT.GET.${FILES_STREAM}.${fileSubject(FILE_REF.sha256, 0)}`;
    nc.publish(read, '', { reply: resultSubject(other, 'c') });
    nc.publish(read, '', { reply: fileSubject('c'.repeat(64), 0) });
    // After the answer to the last request, the earlier ones have been processed.
    await nc.flush();
    await nc.request(read, '', { timeout: 3000 });
    expect(await messagesOf(SHARDS_STREAM)).toBeGreaterThanOrEqual(3);
    expect([await messagesOf(FILES_STREAM), await messagesOf(RESULTS_STREAM)]).toEqual(before);
  });

  test('refuses keys that it does not know, clients without TLS, and other certificates', async () => {
    const known = await ticket('worker-1');
    const plain = { ...known, url: known.url.replace('tls:', 'nats:'), ca: null };
    await expect(connectToPool(plain)).rejects.toMatchObject({ code: 'pool-unreachable' });
    const strange = join(temporaryFolder(), 'other');
    await makePool(strange, { hosts: ['127.0.0.1'], port: 1, workers: 1, hasTls: true, storeGib: 1 });
    const stranger = await readTicket(join(strange, 'worker-1.json'));
    await expect(connectToPool({ ...known, ca: stranger.ca })).rejects.toMatchObject({
      code: 'pool-unreachable',
    });
    const elsewhere = { ...known, url: known.url.replace('127.0.0.1', 'localhost') };
    await expect(connectToPool(elsewhere)).rejects.toMatchObject({ code: 'pool-unreachable' });
    await expect(connectToPool({ ...known, key: stranger.key })).rejects.toMatchObject({
      code: 'pool-refused',
    });
  });

  test('is refused without TLS by a client that has its certificate', async () => {
    const open = await NatsServer.start();
    onTestFinished(() => open.remove());
    const known = await ticket('worker-1');
    await expect(connectToPool({ ...known, url: open.url })).rejects.toMatchObject({
      code: 'pool-unreachable',
    });
  });

  test('lets a coordinator and a worker with credentials play, and an observer ask', async () => {
    const pool = await NatsPool.open(await ticket('coordinator'), {
      ...{ processes: 1, isOutsourced: true, tickMs: 200 },
    });
    onTestFinished(() => pool.dispose());
    const end = new AbortController();
    const playing = runPoolWorker(await ticket('worker-2'), {
      ...{ processes: 1, player: temporaryFolder(), beatMs: 200 },
      onMessage: () => undefined,
      signal: end.signal,
    });
    onTestFinished(async () => {
      end.abort();
      await playing;
    });
    const jobs = await planShards({
      ...{ folder: temporaryFolder(), game: { id: 'connect-four', rules: 'default' } },
      source: { kind: 'agent', config: { ...WarmStartConfig.parse({}), agent: 'alphabeta:depth=2' } },
      ...{ seed: 0, generation: 0, firstGame: 0, games: 8, gamesPerShard: 4 },
      softwareVersion: ownIdentity(1).version,
    });
    expect(await pool.playShards(jobs)).toHaveLength(2);
    const status = await askStatus(await ticket('observer'));
    const known = { key: other, isPresent: true, suspension: null, failures: 0 };
    expect(status.workers).toMatchObject([{ ...known, jobs: 2, games: 8 }]);
    const command = ['pool', 'status', '--pool', join(folder, 'observer.json')];
    const text = (await runGess(...command)).results.join('\n');
    expect(text).toMatch(/^1 worker, 1 process of the run's machine\n.*\nno jobs now/);
    expect(text).toMatch(new RegExp(`^${other.slice(0, 6)}…${other.slice(-4)} +1 +2 +8 +0 +0 +idle$`, 'm'));
    expect(await runGessJson(...command)).toMatchObject({ workers: [{ ...known, jobs: 2, games: 8 }] });
    const metrics = (await runGess(...command, '--prometheus')).results.join('\n').split('\n');
    expect(metrics).toContain('# TYPE gess_pool_jobs gauge');
    expect(metrics).toContain('gess_pool_jobs{state="waiting"} 0');
    expect(metrics).toContain('# TYPE gess_pool_worker_games_total counter');
    expect(metrics).toContain(`gess_pool_worker_games_total{worker="${other}"} 8`);
    for (const line of metrics)
      expect(line).toMatch(/^(# (HELP|TYPE) gess_\w+ \S.*|gess_\w+(\{.*\})? \d\S*)$/);
    await expect(askStatus(await ticket('worker-1'))).rejects.toMatchObject({ code: 'pool-refused' });
  });

  test.runIf(isLong)('reports that no run uses it', async () => {
    await expect(askStatus(await ticket('observer'))).rejects.toMatchObject({ code: 'pool-unreachable' });
  });

  test('adds further workers and removes one', async () => {
    const [added] = await addWorkers(folder, 1);
    expect(added!.name).toBe('worker-3');
    process.kill(server.pid, 'SIGHUP');
    await expect.poll(() => open('worker-3').then(() => 'in')).toBe('in');
    const removed = await ticket('worker-3');
    await removeWorker(folder, 'worker-3');
    process.kill(server.pid, 'SIGHUP');
    await expect.poll(() => refusalOf(removed)).toBe('pool-refused');
    expect(readFileSync(join(folder, 'pool.json'), 'utf8')).not.toContain('worker-3');
    await expect(removeWorker(folder, 'worker-3')).rejects.toMatchObject({ code: 'pool-setup' });
  });
});

test.each([['a b'], ['-x'], ['a,IP:1.2.3.4'], ['']])('a host %j is refused', async (host) => {
  const plan = { hosts: [host], port: 4222, workers: 1, hasTls: true, storeGib: 1 };
  await expect(makePool(join(temporaryFolder(), 'pool'), plan)).rejects.toMatchObject({
    ...{ code: 'pool-address', exitCode: 2 },
  });
});

test.each([
  [4222, 4222],
  [8222, undefined],
  [4222, 8222],
])('the ports %j and %j are refused', async (port, webPort) => {
  const web = webPort === undefined ? {} : { webPort };
  const plan = { hosts: ['localhost'], port, ...web, workers: 1, hasTls: false, storeGib: 1 };
  const folder = join(temporaryFolder(), 'pool');
  await expect(makePool(folder, plan)).rejects.toMatchObject({
    code: 'pool-address',
    message: expect.stringContaining('different ports') as string,
  });
  expect(existsSync(folder)).toBe(false);
});

test('a pool has at most ten thousand workers, and no file is written for more', async () => {
  const plan = { hosts: ['localhost'], port: 4222, workers: 1, hasTls: false, storeGib: 1 };
  const folder = join(temporaryFolder(), 'pool');
  await expect(makePool(folder, { ...plan, workers: 10_001 })).rejects.toMatchObject({ code: 'pool-setup' });
  await makePool(folder, plan);
  const before = readdirSync(folder);
  await expect(addWorkers(folder, 10_000)).rejects.toMatchObject({
    code: 'pool-setup',
    message: 'expected at most 10000 workers, got 10001',
  });
  expect(readdirSync(folder)).toEqual(before);
});

test('of several processes that add workers at once, one does', async () => {
  const folder = join(temporaryFolder(), 'pool');
  await makePool(folder, { hosts: ['localhost'], port: 4222, workers: 1, hasTls: false, storeGib: 1 });
  const adding = await Promise.allSettled(Array.from({ length: 4 }, () => addWorkers(folder, 2)));
  const refused = adding.flatMap((added) => (added.status === 'rejected' ? [added.reason as unknown] : []));
  expect(refused).toMatchObject([{ code: 'run-locked' }, { code: 'run-locked' }, { code: 'run-locked' }]);
  const { workers } = JSON.parse(readFileSync(join(folder, 'pool.json'), 'utf8')) as PoolMembers;
  expect(workers.map(({ name }) => name)).toEqual(['worker-1', 'worker-2', 'worker-3']);
  await removeWorker(folder, 'worker-2');
});

test('a folder that exists is kept', async () => {
  const plan = { hosts: ['localhost'], port: 4222, workers: 1, hasTls: false, storeGib: 1 };
  await expect(makePool(temporaryFolder(), plan)).rejects.toMatchObject({ code: 'pool-setup' });
});
