import * as z from 'zod';

/** Time and evaluations that a job took; differs from one run to another. */
export const JobEffort = z.strictObject({
  /** Playing, and judging by a teacher, without loading and writing. */
  seconds: z.number().min(0),
  /** Positions evaluated by the network. */
  networkEvaluations: z.int().min(0),
  cacheHits: z.int().min(0),
});
export type JobEffort = z.infer<typeof JobEffort>;
