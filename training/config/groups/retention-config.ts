import * as z from 'zod';
import { MAX_GENERATIONS } from './setting-limits.js';

/** Generations kept on disk; generation 0 and the newest checkpoint are always kept. */
export const RetentionConfig = z.strictObject({
  checkpoints: z
    .strictObject({
      last: z
        .int()
        .min(0)
        .max(MAX_GENERATIONS)
        .default(0)
        .meta({ description: 'newest checkpoints to keep; 0: all' }),
      every: z.int().min(0).max(MAX_GENERATIONS).default(0).meta({
        description: 'also keep older checkpoints of every Nth generation; 0: none',
      }),
      best: z.boolean().default(true).meta({
        description: 'also keep the checkpoint with the best rating by the matches of `evaluation`',
      }),
    })
    .prefault({}),
  data: z
    .strictObject({
      last: z.int().min(0).max(MAX_GENERATIONS).default(0).meta({
        description: 'newest generations of games to keep, besides those that learning needs; 0: all',
      }),
    })
    .prefault({}),
});
export type RetentionConfig = z.infer<typeof RetentionConfig>;
