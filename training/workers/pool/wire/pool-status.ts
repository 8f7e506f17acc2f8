import * as z from 'zod';
import { TrainingError } from '../../../training-error.js';
import { NoRespondersError, PermissionViolationError, RequestError, TimeoutError } from './nats-library.js';
import { connectToPool } from './server-connection.js';
import { parseMessage } from './pool-messages.js';
import { STATUS_SUBJECT } from './pool-subjects.js';
import type { PoolTicket } from './pool-ticket.js';

const count = z.int().min(0);

/** Milliseconds in which the coordinator must answer. */
const ANSWER_MS = 5000;

/** Maximum number of workers in one answer: most take less than 400 bytes, and a message at most 1 MiB. */
export const MOST_LISTED = 2000;

const WorkerStatus = z.strictObject({
  key: z.string(),
  processor: z.string(),
  processes: count,
  /** Whether it has sent a message within the last 30 s. */
  isPresent: z.boolean(),
  /** Its jobs in progress. */
  running: count,
  /** Numbers of its results that this coordinator has accepted. */
  jobs: count,
  games: count,
  /** Positions evaluated by the network for these games, as it states. */
  evaluations: count,
  failures: count,
  /** Why it gets no more jobs; null if it gets jobs. */
  suspension: z.string().nullable(),
});

/** The coordinator's view of a pool. */
export const PoolStatus = z.strictObject({
  /** Processes of the coordinator's machine that play. */
  processes: count,
  /** The jobs of the current batch; null between batches. */
  jobs: z.strictObject({ all: count, done: count, played: count, waiting: count }).nullable(),
  /** Results at the server that wait to be judged. */
  results: count,
  gamesPerSecond: z.number().min(0),
  evaluationsPerSecond: z.number().min(0),
  /** Seconds over which the rates are averaged. */
  seconds: z.number().min(0),
  failures: count,
  workers: z.array(WorkerStatus).max(MOST_LISTED),
  /** Number of workers that are not listed, because the message would be too long. */
  moreWorkers: count,
});
export type PoolStatus = z.infer<typeof PoolStatus>;

/**
 * Asks the coordinator of a pool for its state.
 *
 * @throws TrainingError `pool-unreachable`: no server, or no run that uses it; `pool-refused`: these credentials lack
 *   the permission.
 */
export async function askStatus(ticket: PoolTicket): Promise<PoolStatus> {
  const { nc } = await connectToPool(ticket);
  try {
    const { data } = await nc.request(STATUS_SUBJECT, undefined, { timeout: ANSWER_MS });
    const status = parseMessage(PoolStatus, data);
    if (status !== null) return status;
    throw new TrainingError(
      'pool-version',
      'expected the state of a pool, found that of another version of gess-zero',
    );
  } catch (error) {
    throw explain(error, ticket.url);
  } finally {
    await nc.close();
  }
}

function explain(error: unknown, url: string): unknown {
  const cause = error instanceof RequestError ? error.cause : error;
  if (error instanceof RequestError && error.isNoResponders()) {
    return new TrainingError('pool-unreachable', `no run uses the pool at ${url} now`, { cause: error });
  }
  if (cause instanceof NoRespondersError || cause instanceof TimeoutError) {
    return new TrainingError('pool-unreachable', `no run uses the pool at ${url} now`, { cause: error });
  }
  if (cause instanceof PermissionViolationError) {
    return new TrainingError(
      'pool-refused',
      `these credentials may not ask the pool at ${url} for its state`,
      {
        cause: error,
      },
    );
  }
  return error;
}
