import { z } from 'zod';
import { MAX_SIMULATIONS } from '../../agents/search-config.js';

/** Growth of the searches of self-play over the generations. */
export const GrowthConfig = z.strictObject({
  from: z.int().min(1).max(MAX_SIMULATIONS).default(16).meta({
    description: 'simulations per move in the first generation of self-play',
  }),
  generations: z.int().min(0).default(0).meta({
    description:
      'generations of self-play over which simulations grow to those of `search`, by the same factor in each; 0: no growth',
  }),
});
export type GrowthConfig = z.infer<typeof GrowthConfig>;
