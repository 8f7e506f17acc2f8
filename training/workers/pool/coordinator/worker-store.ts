import type { JobBatch } from './job-batch.js';
import type { PoolConnection } from '../wire/pool-connection.js';
import { RESULTS_STREAM, SHARDS_STREAM } from '../wire/pool-subjects.js';
import type { WorkerBook } from './worker-book.js';
import type { WorkerRegister } from './worker-register.js';

/** Share of a stream that one worker may fill with what is not judged yet. */
const WORKER_SHARE = 1 / 8;

/** Streams that workers fill, and the subjects of one of them. */
const STREAMS = [
  { name: SHARDS_STREAM, subjectsOf: (key: string): string => `gess.shards.${key}.>` },
  { name: RESULTS_STREAM, subjectsOf: (key: string): string => `gess.results.${key}.>` },
] as const;

/** A worker that has filled more than its share of a stream. */
interface Hoarder {
  readonly key: string;
  /** In words. */
  readonly reason: string;
}

/** Removes all that a worker has sent. */
export async function purgeWorker({ jsm }: PoolConnection, key: string): Promise<void> {
  // Best effort: what is left over is removed after some days, and does no harm.
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
    const key = subject.split('.')[2] ?? '';
    counts.set(key, (counts.get(key) ?? 0) + messages);
  }
  return counts;
}

/**
 * The workers that fill more than an eighth of a stream. The server limits streams, not their senders. It tells the number of
 * messages of a sender, not their size, so each counts as one of mean size.
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
    for (const [key, messages] of await messagesByWorker(connection, name, subjectsOf('*'))) {
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

/** Who knows the workers. */
interface StoreWatch {
  readonly register: WorkerRegister;
  readonly book: WorkerBook;
  readonly batch: JobBatch | null;
  readonly onMessage: (text: string) => void;
}

/**
 * Suspends the workers that fill the server's store, and empties it of what they have sent.
 *
 * @throws errors of the server; DataError for the book.
 */
export async function suspendHoarders(
  connection: PoolConnection,
  { register, book, batch, onMessage }: StoreWatch,
): Promise<void> {
  for (const { key, reason } of await findHoarders(connection)) {
    const worker = register.find(key);
    // What somebody has sent who has never asked for a job is nobody's game.
    if (worker !== null && worker.suspension === null) {
      worker.suspension = reason;
      await book.add({ kind: 'suspended', worker: key, reason });
      batch?.ledger.releaseAll(key);
      onMessage(`suspended the worker ${key}: ${reason}`);
    }
    await purgeWorker(connection, key);
  }
}
