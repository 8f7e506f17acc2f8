import { expect, test } from 'vitest';
import { BatchRun } from '../../../../training/workers/pool/coordinator/batch-run.js';
import { ResultIntake } from '../../../../training/workers/pool/coordinator/intake/result-intake.js';
import { Lie } from '../../../../training/workers/pool/coordinator/intake/shard-intake.js';
import type { JobKind } from '../../../../training/workers/pool/coordinator/job-batch.js';
import { JobLedger } from '../../../../training/workers/pool/coordinator/job-ledger.js';
import { PoolDesk } from '../../../../training/workers/pool/coordinator/pool-desk.js';
import { WorkerBook } from '../../../../training/workers/pool/coordinator/worker-book.js';
import { WorkerRegister } from '../../../../training/workers/pool/coordinator/worker-register.js';
import { refOf } from '../../../../training/workers/pool/wire/content-stream.js';
import { createUser } from '../../../../training/workers/pool/wire/nats-library.js';
import { resultSubject } from '../../../../training/workers/pool/wire/pool-subjects.js';
import { sign } from '../../../../training/workers/pool/wire/signed-message.js';
import { ownIdentity } from '../../../../training/workers/pool/wire/worker-identity.js';

const JOBS = 8;
const CONTENT = new TextEncoder().encode('games');

/** The reaction of a coordinator to a result for each job, all of one worker, whose results are lies. */
async function takeInLies(deliver: () => Promise<{ readonly data: Uint8Array } | null>): Promise<{
  readonly requests: number;
  readonly judged: number;
  readonly suspension: string | null;
}> {
  let [requests, judged] = [0, 0];
  const user = createUser();
  const key = user.getPublicKey();
  const outcome = { kind: 'match', content: await refOf(CONTENT) };
  const payload = JSON.stringify({ identity: ownIdentity(1), fingerprints: [], outcome });
  const ids = Array.from({ length: JOBS }, (_, index) => String(index));
  const messages = ids.map((id, seq) => {
    const subject = resultSubject(key, id);
    return { seq, subject, data: new TextEncoder().encode(payload), headers: sign(user, subject, payload) };
  });
  let removed = 0;
  let end = (): void => undefined;
  const allRemoved = new Promise<void>((resolve) => (end = resolve));
  const streams = {
    deleteMessage: () => {
      removed += 1;
      if (removed === JOBS) end();
      return Promise.resolve();
    },
    purge: () => Promise.resolve(),
  };
  const getMessage = (): ReturnType<typeof deliver> => {
    requests += 1;
    return deliver();
  };
  const consume = (): object => Object.assign(messages, { close: () => Promise.resolve() });
  const js = { consumers: { get: () => Promise.resolve({ consume }) } };
  const kind = {
    outcome: 'match',
    maxContentBytes: () => CONTENT.length,
    judge: () => {
      judged += 1;
      return Promise.reject(new Lie('lies'));
    },
  } as Partial<JobKind<'playMatch', string>> as JobKind<'playMatch', string>;
  const indexOf = new Map(ids.map((id, index) => [id, index]));
  const batch = { ids, indexOf, ledger: new JobLedger(JOBS), remote: ids, models: [], makers: new Map() };
  const run = new BatchRun(batch as never, kind, ids as never, { endsJobs: false });
  const register = new WorkerRegister();
  const book = await WorkerBook.open(null);
  const onMessage = (): void => undefined;
  const own = { own: ownIdentity(1), anyProcessor: false, batch: () => run.batch };
  const desk = new PoolDesk({ ...own, register, book, onMessage });
  const connection = { js, jsm: { streams, direct: { getMessage } } } as never;
  const intake = new ResultIntake({ connection, register, desk, book, processes: 1, onMessage });
  const { close } = await intake.open(run);
  await allRemoved;
  await close();
  run.expectSound();
  return { requests, judged, suspension: register.find(key)!.suspension };
}

test('results that wait when their worker is found to lie are not judged', async () => {
  const { judged, suspension } = await takeInLies(() => Promise.resolve({ data: CONTENT }));
  expect(suspension).toBe('it has sent lies');
  // Two are judged at once.
  expect(judged).toBeLessThanOrEqual(2);
});

const STATUS = Object.assign(new Error('a status that the worker wrote'), { name: 'JetStreamStatusError' });

test.each([
  ['is missing', () => Promise.resolve(null)],
  ['has another digest', () => Promise.resolve({ data: new Uint8Array(CONTENT.length) })],
  ['has a status among its headers', () => Promise.reject(STATUS)],
])('a worker is suspended after three results whose content %s, without a wait', async (_name, deliver) => {
  const { requests, judged, suspension } = await takeInLies(deliver);
  expect(suspension).toContain('3 jobs failed there one after another');
  expect(judged).toBe(0);
  expect(requests).toBeLessThanOrEqual(4);
});
