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

/** The effort of the newly played shards among some; existing ones, `null`, took none. */
export function sumEffort(reports: readonly { readonly effort: JobEffort | null }[]): JobEffort {
  const sum = { seconds: 0, networkEvaluations: 0, cacheHits: 0 };
  for (const { effort } of reports) {
    sum.seconds += effort?.seconds ?? 0;
    sum.networkEvaluations += effort?.networkEvaluations ?? 0;
    sum.cacheHits += effort?.cacheHits ?? 0;
  }
  return sum;
}
