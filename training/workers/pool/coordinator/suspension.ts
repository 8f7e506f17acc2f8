import type { JobBatch } from './job-batch.js';
import type { WorkerBook } from './worker-book.js';
import type { RegisteredWorker } from './worker-register.js';

/**
 * Suspends a worker for good: it gets no more jobs, not even after the run has been resumed, and those that it has go
 * to others.
 *
 * @throws DataError for the book.
 */
export async function suspendForGood(
  worker: RegisteredWorker,
  reason: string,
  { book, batch }: { readonly book: WorkerBook; readonly batch: JobBatch | null },
): Promise<void> {
  worker.suspension = reason;
  batch?.ledger.releaseAll(worker.key);
  await book.add({ kind: 'suspended', worker: worker.key, reason });
}
