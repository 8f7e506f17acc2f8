import { ProcessPool } from '../../training/workers/process-pool.js';
import type { PoolTicket } from '../../training/workers/pool/wire/pool-ticket.js';
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
 * Expects `--pool`, if given, to name a server: before a command writes anything, so that a wrong word leaves no folder
 * behind.
 *
 * @throws as `openPool`, for the address and the file of credentials.
 */
export async function expectPool({ pool }: PoolWords): Promise<void> {
  if (pool !== undefined) await ticketOf(pool);
}

async function ticketOf(pool: string): Promise<PoolTicket> {
  const { readTicket } = await import('../../training/workers/pool/wire/pool-ticket.js');
  return readTicket(pool);
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
  const { NatsPool } = await import('../../training/workers/pool/coordinator/nats-pool.js');
  return NatsPool.open(await ticketOf(pool), {
    processes,
    anyProcessor: anyProcessor === true,
    replayShare,
    book,
    onMessage,
  });
}
