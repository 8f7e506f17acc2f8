import * as z from 'zod';

const count = z.int().min(0);

/** Counts about the other machines of a pool. */
export const PoolSummary = z.strictObject({
  /** Recently active workers, and their processes. */
  workers: count,
  processes: count,
  /** Games of self-play that were accepted from workers. */
  games: count,
  /** Jobs that failed at workers. */
  failures: count,
  /** Workers that get no more jobs. */
  suspended: count,
});
export type PoolSummary = z.infer<typeof PoolSummary>;
