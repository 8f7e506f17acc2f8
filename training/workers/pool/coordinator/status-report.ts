import type { NatsConnection } from '../wire/nats-library.js';
import { MAX_MESSAGE_BYTES } from '../wire/pool-messages.js';
import { MOST_LISTED, type PoolStatus } from '../wire/pool-status.js';
import { STATUS_SUBJECT } from '../wire/pool-subjects.js';
import type { JobBatch } from './job-batch.js';
import type { RateMeter } from './rate-meter.js';
import { isPresent, type RegisteredWorker, type WorkerRegister } from './worker-register.js';

/** The sources of a pool's status. */
export interface StatusSources {
  /** Of the coordinator's machine. */
  readonly processes: number;
  readonly register: WorkerRegister;
  readonly meter: RateMeter;
  readonly batch: JobBatch | null;
  /** Results not yet judged. */
  readonly results: number;
}

function workerStatus(worker: RegisteredWorker, batch: JobBatch | null): PoolStatus['workers'][number] {
  const { key, identity, acceptedJobs, acceptedGames, evaluations, failures, suspension } = worker;
  return {
    key,
    processor: identity.processor,
    processes: identity.processes,
    isPresent: isPresent(worker),
    running: batch?.ledger.playedBy(key).length ?? 0,
    jobs: acceptedJobs,
    games: acceptedGames,
    evaluations,
    failures,
    suspension: suspension?.slice(0, 200) ?? null,
  };
}

/** A status as JSON of at most `MAX_MESSAGE_BYTES`: without the last workers if they are too many. */
export function statusText(status: PoolStatus): string {
  let { workers, moreWorkers } = status;
  for (;;) {
    const text = JSON.stringify({ ...status, workers, moreWorkers });
    if (Buffer.byteLength(text) <= MAX_MESSAGE_BYTES || workers.length === 0) return text;
    const kept = Math.floor(workers.length / 2);
    moreWorkers += workers.length - kept;
    workers = workers.slice(0, kept);
  }
}

/** Answers requests for the state of the pool. */
export function answerStatus(nc: NatsConnection, status: () => Promise<PoolStatus>): void {
  nc.subscribe(STATUS_SUBJECT, {
    callback: (error, message) => {
      if (error !== null) return;
      // While the server does not answer, requests time out, and clients repeat them.
      status()
        .then((found) => message.respond(statusText(found)))
        .catch(() => undefined);
    },
  });
}

/** The state of a pool, for `gess pool status`. */
export function statusReport({ processes, register, meter, batch, results }: StatusSources): PoolStatus {
  const { games, evaluations, seconds } = meter.rate();
  const workers = register.all();
  return {
    processes,
    jobs:
      batch === null
        ? null
        : {
            all: batch.ledger.size,
            done: batch.ledger.doneJobs,
            played: batch.ledger.playedJobs,
            waiting: batch.ledger.waitingJobs,
          },
    results,
    gamesPerSecond: games,
    evaluationsPerSecond: evaluations,
    seconds,
    failures: workers.reduce((sum, { failures }) => sum + failures, 0),
    workers: workers.slice(0, MOST_LISTED).map((worker) => workerStatus(worker, batch)),
    moreWorkers: Math.max(0, workers.length - MOST_LISTED),
  };
}
