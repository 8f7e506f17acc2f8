import { ProcessPool } from '../../training/workers/process-pool.js';
import type { WorkerPool } from '../../training/workers/worker-pool.js';
import type { PoolWords } from './pool-option.js';

/** Settings of the pool of a command. */
export interface OpenPoolOptions extends PoolWords {
  /** Processes of this machine that play. */
  readonly processes: number;
  /** Cores to bind them to, each to its own; by default they are not bound. */
  readonly cores?: readonly number[] | undefined;
  /** File in which workers of other machines and their shards are recorded; null: nowhere. */
  readonly book: string | null;
  readonly onMessage: (text: string) => void;
}

/**
 * Opens the pool that a command asks for: many machines with `--pool`, else processes of this one. The libraries for
 * many machines are loaded only with `--pool`.
 *
 * @throws PackageError; TrainingError `pool-*`; DataError for the file of credentials and the book.
 */
export async function openPool(options: OpenPoolOptions): Promise<WorkerPool> {
  const { pool, anyProcessor, replayShare, processes, cores, book, onMessage } = options;
  if (pool === undefined) return new ProcessPool(processes, { cores, onMessage });
  const { readTicket } = await import('../../training/workers/pool/wire/pool-ticket.js');
  const { NatsPool } = await import('../../training/workers/pool/coordinator/nats-pool.js');
  const ticket = await readTicket(pool);
  return NatsPool.open(ticket, {
    processes,
    anyProcessor: anyProcessor === true,
    replayShare,
    book,
    onMessage,
  });
}
