import { z } from 'zod';

/** Which generations stay on the disk; the network before training and the newest always do. */
export const RetentionConfig = z.strictObject({
  checkpoints: z
    .strictObject({
      last: z.int().min(0).default(0).meta({ description: 'newest checkpoints that stay; 0: all' }),
      every: z.int().min(0).default(0).meta({
        description: 'of the older checkpoints each of so many generations stays too; 0: none',
      }),
      best: z.boolean().default(true).meta({
        description: 'whether that one stays too which scored best against `evaluation.opponents`',
      }),
    })
    .prefault({}),
  data: z
    .strictObject({
      last: z.int().min(0).default(0).meta({
        description: 'newest generations whose games stay, beside those that learning still needs; 0: all',
      }),
    })
    .prefault({}),
});
export type RetentionConfig = z.infer<typeof RetentionConfig>;
