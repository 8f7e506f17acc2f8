import { expect, test } from 'vitest';
import { BatchRun } from '../../../../training/workers/pool/coordinator/batch-run.js';
import type { JobKind } from '../../../../training/workers/pool/coordinator/job-batch.js';
import { JobLedger } from '../../../../training/workers/pool/coordinator/job-ledger.js';
import { statusText } from '../../../../training/workers/pool/coordinator/status-report.js';
import { MAX_MESSAGE_BYTES } from '../../../../training/workers/pool/wire/pool-messages.js';
import type { PoolStatus } from '../../../../training/workers/pool/wire/pool-status.js';

/** A run of two jobs without any process, which records what happens to the jobs' files. */
function runOfTwo(): { readonly run: BatchRun<'playMatch', string>; readonly events: string[] } {
  const events: string[] = [];
  const kind = {
    workOf: () => ({ games: 1, evaluations: 0 }),
    remove: () => {
      events.push('removed');
      return Promise.resolve();
    },
  } as Partial<JobKind<'playMatch', string>> as JobKind<'playMatch', string>;
  const ledger = new JobLedger(2);
  const batch = { ledger, makers: new Map<number, string>(), onWork: () => undefined } as never;
  const jobs = [{}, {}] as never;
  const run = new BatchRun(batch, kind, jobs, {
    endsJobs: false,
    onDone: (index) => events.push(`done ${index}`),
  });
  return { run, events };
}

test('a result for a job that is done is not kept', async () => {
  const { run, events } = runOfTwo();
  expect(await run.accept(0, 'one', () => Promise.resolve('first'))).toBe(true);
  const keep = (): Promise<string> => {
    events.push('kept');
    return Promise.resolve('second');
  };
  expect(await run.accept(0, 'two', keep)).toBe(false);
  expect(run.results).toEqual(['first', undefined]);
  expect(events).toEqual(['done 0']);
  expect([...run.batch.makers]).toEqual([[0, 'one']]);
});

test('a result that turns out to be a lie while it is being kept is removed afterwards', async () => {
  const { run, events } = runOfTwo();
  let write = (): void => undefined;
  const accepted = run.accept(1, 'liar', async () => {
    await new Promise<void>((resolve) => (write = resolve));
    events.push('written');
    return 'lie';
  });
  const reopened = run.reopen(1);
  write();
  await Promise.all([accepted, reopened]);
  expect(events).toEqual(['written', 'done 1', 'removed']);
  expect(run.results).toEqual([undefined, undefined]);
  expect(run.batch.ledger.isDoneJob(1)).toBe(false);
  expect(run.isOver).toBe(false);
});

test('a batch whose last result cannot be kept ends with the error', async () => {
  const { run } = runOfTwo();
  await run.accept(0, 'one', () => Promise.resolve('first'));
  const full = new Error('no room');
  await run
    .accept(1, 'one', () => Promise.reject(full))
    .catch((error: unknown) => {
      run.fail(error);
    });
  expect(run.isOver).toBe(true);
  expect(() => {
    run.expectSound();
  }).toThrow(full);
});

test('a status names as many workers as a message has room for', () => {
  const worker = {
    ...{
      key: 'U'.repeat(56),
      processor: 'ø'.repeat(200),
      processes: 1,
      isPresent: true,
      running: 0,
      jobs: 0,
    },
    ...{ games: 0, evaluations: 0, failures: 0, suspension: 'ø'.repeat(200) },
  };
  const status: PoolStatus = {
    ...{ processes: 1, jobs: null, results: 0, gamesPerSecond: 0, evaluationsPerSecond: 0, seconds: 0 },
    ...{ failures: 0, workers: Array.from({ length: 2000 }, () => worker), moreWorkers: 7 },
  };
  const text = statusText(status);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_MESSAGE_BYTES);
  const { workers, moreWorkers } = JSON.parse(text) as PoolStatus;
  expect(workers.length).toBeGreaterThan(0);
  expect(workers.length + moreWorkers).toBe(2007);
  expect(statusText({ ...status, workers: [worker] })).toContain('"moreWorkers":7');
});
