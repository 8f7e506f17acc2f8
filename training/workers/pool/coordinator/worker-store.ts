import type { JobBatch } from './job-batch.js';
import type { PoolConnection } from '../wire/pool-connection.js';
import {
  ANY,
  keyOf,
  RESULTS_STREAM,
  resultSubject,
  SHARDS_STREAM,
  shardSubject,
} from '../wire/pool-subjects.js';
import { suspendForGood } from './suspension.js';
import type { WorkerBook } from './worker-book.js';
import type { WorkerRegister } from './worker-register.js';

/** Share of a stream that one worker may fill with results not yet judged. */
const WORKER_SHARE = 1 / 8;

/** Streams that workers fill, with the subjects of one worker. */
const STREAMS = [
  { name: SHARDS_STREAM, subjectsOf: (key: string): string => shardSubject(key, ANY, ANY) },
  { name: RESULTS_STREAM, subjectsOf: (key: string): string => resultSubject(key, ANY) },
] as const;

/** A worker that has filled more than its share of a stream. */
interface Hoarder {
  readonly key: string;
  /** The reason, for the user. */
  readonly reason: string;
}

/** Removes all messages of a worker. */
export async function purgeWorker({ jsm }: PoolConnection, key: string): Promise<void> {
  // Best effort: anything left is harmless, and expires after some days.
  for (const { name, subjectsOf } of STREAMS)
    await jsm.streams.purge(name, { filter: subjectsOf(key) }).catch(() => undefined);
}

/** Messages of each worker in a stream. */
async function messagesByWorker(
  { jsm }: PoolConnection,
  name: string,
  filter: string,
): Promise<ReadonlyMap<string, number>> {
  const { state } = await jsm.streams.info(name, { subjects_filter: filter });
  const counts = new Map<string, number>();
  for (const [subject, messages] of Object.entries(state.subjects ?? {})) {
    const key = keyOf(subject);
    counts.set(key, (counts.get(key) ?? 0) + messages);
  }
  return counts;
}

/**
 * Lists the workers that fill more than an eighth of a stream. The server limits streams, not senders, and counts the
 * messages of a sender but not their bytes, so each message counts with the mean size.
 *
 * @throws errors of the server.
 */
async function findHoarders(connection: PoolConnection): Promise<readonly Hoarder[]> {
  const found: Hoarder[] = [];
  for (const { name, subjectsOf } of STREAMS) {
    const { state, config } = await connection.jsm.streams.info(name);
    const most = WORKER_SHARE * config.max_bytes;
    if (state.bytes <= most) continue;
    const meanBytes = state.bytes / state.messages;
    for (const [key, messages] of await messagesByWorker(connection, name, subjectsOf(ANY))) {
      const bytes = Math.round(messages * meanBytes);
      if (bytes > most) {
        found.push({
          key,
          reason: `it has filled ${name} with ${bytes} bytes of at most ${Math.round(most)}`,
        });
      }
    }
  }
  return found;
}

/** The records that suspensions go to. */
interface StoreWatch {
  readonly register: WorkerRegister;
  readonly book: WorkerBook;
  readonly batch: JobBatch | null;
  readonly onMessage: (text: string) => void;
}

/**
 * Suspends the workers that fill the server's store, and removes their messages.
 *
 * @throws DataError for the book.
 */
export async function suspendHoarders(
  connection: PoolConnection,
  { register, book, batch, onMessage }: StoreWatch,
): Promise<void> {
  // Best effort: the server may be unreachable.
  const hoarders = await findHoarders(connection).catch(() => []);
  for (const { key, reason } of hoarders) {
    const worker = register.find(key);
    try {
      // A sender that never requested a job has no results to keep.
      if (worker !== null && worker.suspension === null) {
        onMessage(`suspended the worker ${key}: ${reason}`);
        await suspendForGood(worker, reason, { book, batch });
      }
    } finally {
      await purgeWorker(connection, key);
    }
  }
}
