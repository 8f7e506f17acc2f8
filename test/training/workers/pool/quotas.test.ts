import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isLong } from '../../../long-tests.js';
import { PoolDesk } from '../../../../training/workers/pool/coordinator/pool-desk.js';
import { WorkerBook } from '../../../../training/workers/pool/coordinator/worker-book.js';
import { WorkerRegister } from '../../../../training/workers/pool/coordinator/worker-register.js';
import { ownIdentity } from '../../../../training/workers/pool/wire/worker-identity.js';
import { JobLedger } from '../../../../training/workers/pool/coordinator/job-ledger.js';
import { MessageQuota } from '../../../../training/workers/pool/coordinator/message-quota.js';
import { NatsPool } from '../../../../training/workers/pool/coordinator/nats-pool.js';
import { suspendHoarders } from '../../../../training/workers/pool/coordinator/worker-store.js';
import { MAX_MESSAGE_BYTES } from '../../../../training/workers/pool/wire/pool-messages.js';
import type { PoolConnection } from '../../../../training/workers/pool/wire/pool-connection.js';
import { connectToPool } from '../../../../training/workers/pool/wire/server-connection.js';
import {
  shardSubject,
  SHARDS_STREAM,
  workerSubject,
} from '../../../../training/workers/pool/wire/pool-subjects.js';
import { createUser } from '../../../../training/workers/pool/wire/nats-library.js';
import { sign } from '../../../../training/workers/pool/wire/signed-message.js';
import { readTicket } from '../../../../training/workers/pool/wire/pool-ticket.js';
import { runPoolWorker } from '../../../../training/workers/pool/worker/worker-run.js';
import { temporaryFolder } from '../../../data/temporary-folder.js';
import { Liar } from './liar.js';
import { hasNatsServer, NatsServer } from './nats-server.js';
import { planned } from './shard-jobs.js';

test('messages of a worker that sends too many are ignored until the next tick; those of others are not', () => {
  const quota = new MessageQuota(3);
  expect([1, 2, 3, 4, 5].map(() => quota.allows('one', 1))).toEqual([true, true, true, false, false]);
  expect(quota.allows('other', 1)).toBe(true);
  quota.tick();
  expect(quota.allows('one', 1)).toBe(true);
});

test('messages of a worker that together are too long are ignored until the next tick', () => {
  const quota = new MessageQuota();
  const read = Array.from({ length: 100 }, () => quota.allows('one', MAX_MESSAGE_BYTES));
  expect(read.filter(Boolean)).toHaveLength(8);
  expect(quota.allows('other', MAX_MESSAGE_BYTES)).toBe(true);
  quota.tick();
  expect(quota.allows('one', MAX_MESSAGE_BYTES)).toBe(true);
});

test('a job whose result has arrived is no longer played, and no other worker begins it', () => {
  const ledger = new JobLedger(2);
  expect(ledger.take('one')).toBe(0);
  expect(ledger.take('one')).toBe(1);
  ledger.deliver(0, 'one');
  expect(ledger.playedBy('one')).toEqual([1]);
  expect(ledger.jobsOf('one')).toEqual([0, 1]);
  expect(ledger.take('two')).toBeNull();
  // The result turned out to be invalid.
  ledger.fail(0, 'one');
  expect(ledger.take('one')).toBeNull();
  expect(ledger.take('two')).toBe(0);
  ledger.finish(0);
  ledger.releaseAll('one');
  expect(ledger.take('two')).toBe(1);
  expect(ledger.jobsOf('two')).toEqual([1]);
});

const JOB = 'f'.repeat(64);

/** A desk with a batch of one job, and what it has said. */
async function deskWithJob(): Promise<{
  readonly desk: PoolDesk;
  readonly ledger: JobLedger;
  readonly said: string[];
}> {
  const ledger = new JobLedger(1);
  const said: string[] = [];
  const desk = new PoolDesk({
    own: ownIdentity(1),
    register: new WorkerRegister(),
    book: await WorkerBook.open(null),
    anyProcessor: false,
    batch: () => ({ ledger, ids: [JOB], indexOf: new Map([[JOB, 0]]) }) as never,
    onMessage: (text) => said.push(text),
  });
  return { desk, ledger, said };
}

test('only the newest fingerprints of a worker are remembered, and none of a suspended one', async () => {
  const { desk } = await deskWithJob();
  const admit = (model: string): ReturnType<PoolDesk['admit']> =>
    desk.admit('one', ownIdentity(1), [{ model, fingerprint: model }]);
  for (let made = 0; made < 1000; made++) admit(`model ${made}`);
  const worker = admit('model 1');
  if ('kind' in worker) expect.fail('the worker is refused');
  expect(worker.fingerprints.size).toBeLessThan(100);
  expect([...worker.fingerprints.keys()].slice(-2)).toEqual(['model 999', 'model 1']);
  worker.suspension = 'it has lied';
  expect(admit('another')).toMatchObject({ code: 'pool-suspended' });
  expect(worker.fingerprints.has('another')).toBe(false);
});

test('a worker that fails again and again is suspended, and its jobs go to others', async () => {
  const { desk, ledger, said } = await deskWithJob();
  const worker = desk.admit('one', ownIdentity(1), []);
  if ('kind' in worker) expect.fail('the worker is refused');
  expect(ledger.take('one')).toBe(0);
  for (let count = 1; count <= 3; count++) desk.countFailure(worker, 'a result that cannot be read');
  expect(said.at(-1)).toMatch(/^suspended the worker one: 3 jobs failed .* a result that cannot be read$/);
  expect(ledger.take('two')).toBe(0);
});

test('a heartbeat counts only for the jobs that the worker was given, and three without one of them lose it', () => {
  const register = new WorkerRegister();
  const worker = register.meet('one', ownIdentity(1))!;
  expect(register.beat(worker, ['given'], new Map([['other', 4]]))).toEqual([]);
  expect([...worker.running]).toEqual([]);
  const named = new Map([
    ['given', 2],
    ['other', 4],
  ]);
  expect(register.beat(worker, ['given'], named)).toEqual([]);
  expect([...worker.running]).toEqual([['given', 2]]);
  for (let beat = 1; beat <= 2; beat++) expect(register.beat(worker, ['given'], new Map())).toEqual([]);
  expect(register.beat(worker, ['given'], new Map())).toEqual(['given']);
});

test('texts of a worker stay on the line on which they are quoted', async () => {
  const { desk, ledger, said } = await deskWithJob();
  let receive: (error: null, message: object) => void = () => undefined;
  const subscribe = (_subject: string, { callback }: { readonly callback: typeof receive }): void => {
    receive = callback;
  };
  desk.open({ subscribe } as never);
  const user = createUser();
  const key = user.getPublicKey();
  const worker = desk.admit(key, { ...ownIdentity(1), processor: 'x\nsuspended the worker y' }, []);
  if ('kind' in worker) expect.fail('the worker is refused');
  expect(said).toEqual([`worker ${key} joins: 1 process, x\\nsuspended the worker y`]);
  const subject = workerSubject(key, 'failed');
  const payload = JSON.stringify({ id: JOB, message: 'x\n\u001b[2Jy' });
  ledger.take(key);
  const data = new TextEncoder().encode(payload);
  receive(null, { subject, data, headers: sign(user, subject, payload) });
  expect(said.at(-1)).toBe(`a job failed at the worker ${key}: x\\n\\u001b[2Jy`);
});

/** Makes the store so small that three parts of a worker fill it, and sends these. */
async function fillStore({ js, jsm }: PoolConnection, key: string): Promise<void> {
  const { config } = await jsm.streams.info(SHARDS_STREAM);
  await jsm.streams.update(SHARDS_STREAM, { ...config, max_bytes: 2 ** 20 });
  for (const part of [0, 1, 2])
    await js.publish(shardSubject(key, 'a'.repeat(64), part), new Uint8Array(2 ** 16));
}

test.runIf(hasNatsServer)(
  'a worker that fills the store is suspended even if that cannot be recorded, which ends the batch',
  async () => {
    const server = await NatsServer.start();
    onTestFinished(() => server.remove());
    const ticket = await readTicket(server.url);
    const said: string[] = [];
    const pool = await NatsPool.open(ticket, {
      ...{ processes: 1, tickMs: 50, book: join(temporaryFolder(), 'gone', 'workers.jsonl') },
      onMessage: (text) => said.push(text),
    });
    onTestFinished(() => pool.dispose());
    const hoarder = await Liar.join(server.url, 'no lie', { folder: temporaryFolder() });
    const asking = hoarder.lieOnce();
    await expect.poll(async () => (await pool.status()).workers.length).toBe(1);
    const connection = await connectToPool(ticket);
    onTestFinished(() => connection.nc.close());
    await fillStore(connection, hoarder.key);
    const parts = async (): Promise<number> =>
      (await connection.jsm.streams.info(SHARDS_STREAM)).state.messages;
    await expect.poll(parts, { timeout: 10_000 }).toBe(0);
    expect(said.join('\n')).toContain(`suspended the worker ${hoarder.key}: it has filled`);
    expect(await asking).toMatchObject({ isFound: true });
    await expect(pool.playShards(await planned(1))).rejects.toMatchObject({ code: 'write-failed' });
  },
);

test('an unreachable server fills no store', async () => {
  const connection = { jsm: { streams: { info: () => Promise.reject(new Error('away')) } } } as never;
  const book = await WorkerBook.open(null);
  const register = new WorkerRegister();
  await suspendHoarders(connection, { register, book, batch: null, onMessage: () => undefined });
  expect(register.summary().suspended).toBe(0);
});

test.runIf(hasNatsServer && isLong)(
  'a worker that fills the store is suspended, and the store is emptied',
  async () => {
    const server = await NatsServer.start();
    onTestFinished(() => server.remove());
    const said: string[] = [];
    const pool = await NatsPool.open(await readTicket(server.url), {
      ...{ processes: 1, tickMs: 100 },
      onMessage: (text) => said.push(text),
    });
    onTestFinished(() => pool.dispose());
    const ticket = await readTicket(server.url);
    const end = new AbortController();
    const options = {
      processes: 1,
      player: temporaryFolder(),
      onMessage: () => undefined,
      signal: end.signal,
    };
    const running = runPoolWorker(ticket, options).then(
      () => null,
      (error: unknown) => error,
    );
    onTestFinished(() => {
      end.abort();
    });
    await expect.poll(async () => (await pool.status()).workers.length, { timeout: 30_000 }).toBe(1);
    const connection = await connectToPool(ticket);
    const { nc, jsm, publicKey } = connection;
    onTestFinished(() => nc.close());
    await fillStore(connection, publicKey);
    await expect
      .poll(() => said.join('\n'), { timeout: 30_000 })
      .toContain(`suspended the worker ${publicKey}: it has filled`);
    await expect
      .poll(async () => (await jsm.streams.info(SHARDS_STREAM)).state.messages, { timeout: 30_000 })
      .toBe(0);
    expect(await running).toMatchObject({ code: 'pool-suspended' });
  },
);
