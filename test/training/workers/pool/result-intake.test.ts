import { expect, test } from 'vitest';
import { BatchRun } from '../../../../training/workers/pool/coordinator/batch-run.js';
import { ResultIntake } from '../../../../training/workers/pool/coordinator/intake/result-intake.js';
import { Lie } from '../../../../training/workers/pool/coordinator/intake/lie.js';
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

/** A server's stream of results, of which the test plays the server. */
interface FakeServer {
  /** The job of each message, in their order; a job that the batch lacks is unknown. */
  readonly jobs: readonly string[];
  /** Delivers content. */
  readonly deliver: () => Promise<{ readonly data: Uint8Array } | null>;
  /** Removes the message of a job. */
  readonly remove: (job: string) => Promise<void>;
  readonly judge: () => Promise<never>;
}

/** Takes in the results of one worker until `isEnough` resolves; returns why the worker is suspended. */
async function takeIn(
  { jobs, deliver, remove, judge }: FakeServer,
  isEnough: Promise<void>,
): Promise<string | null> {
  const user = createUser();
  const key = user.getPublicKey();
  const outcome = { kind: 'match', content: await refOf(CONTENT) };
  const payload = JSON.stringify({ identity: ownIdentity(1), fingerprints: [], outcome });
  const messages = jobs.map((job, seq) => {
    const subject = resultSubject(key, job);
    return { seq, subject, data: new TextEncoder().encode(payload), headers: sign(user, subject, payload) };
  });
  const streams = {
    deleteMessage: (_stream: string, seq: number) => remove(jobs[seq]!),
    purge: () => Promise.resolve(),
  };
  const consume = (): object => Object.assign(messages, { close: () => Promise.resolve() });
  const js = { consumers: { get: () => Promise.resolve({ consume }) } };
  const kind = { outcome: 'match', maxContentBytes: () => CONTENT.length, judge } as Partial<
    JobKind<'playMatch', string>
  > as JobKind<'playMatch', string>;
  const ids = Array.from({ length: JOBS }, (_, index) => String(index));
  const indexOf = new Map(ids.map((id, index) => [id, index]));
  const batch = { ids, indexOf, ledger: new JobLedger(JOBS), remote: ids, models: [], makers: new Map() };
  const run = new BatchRun(batch as never, kind, ids as never, { endsJobs: false });
  const register = new WorkerRegister();
  const book = await WorkerBook.open(null);
  const onMessage = (): void => undefined;
  const own = { own: ownIdentity(1), anyProcessor: false, batch: () => run.batch };
  const desk = new PoolDesk({ ...own, register, book, onMessage });
  const connection = { js, jsm: { streams, direct: { getMessage: deliver } } } as never;
  const intake = new ResultIntake(run, { connection, register, desk, book, processes: 1, onMessage });
  const { close } = await intake.open();
  await isEnough;
  await close();
  run.expectSound();
  return register.find(key)?.suspension ?? null;
}

/** The reaction of a coordinator to a result for each job, all of one worker, whose results are lies. */
async function takeInLies(deliver: FakeServer['deliver']): Promise<{
  readonly requests: number;
  readonly judged: number;
  readonly suspension: string | null;
}> {
  let [requests, judged, removed] = [0, 0, 0];
  let end = (): void => undefined;
  const allRemoved = new Promise<void>((resolve) => (end = resolve));
  const server: FakeServer = {
    jobs: Array.from({ length: JOBS }, (_, index) => String(index)),
    deliver: () => {
      requests += 1;
      return deliver();
    },
    remove: () => {
      removed += 1;
      if (removed === JOBS) end();
      return Promise.resolve();
    },
    judge: () => {
      judged += 1;
      return Promise.reject(new Lie('lies'));
    },
  };
  const suspension = await takeIn(server, allRemoved);
  return { requests, judged, suspension };
}

test('results for unknown jobs, which the server is slow to remove, do not delay the others', async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let judged = 0;
  const unknown = Array.from({ length: 20 }, (_, index) => `unknown${index}`);
  await takeIn(
    {
      jobs: [...unknown, '3'],
      deliver: () => Promise.resolve({ data: CONTENT }),
      remove: (job) => (job === '3' ? Promise.resolve() : released),
      judge: () => {
        judged += 1;
        release();
        return Promise.reject(new Lie('lies'));
      },
    },
    released,
  );
  expect(judged).toBe(1);
});

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
