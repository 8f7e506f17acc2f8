import { z } from 'zod';
import { MAX_SIMULATIONS } from '../../agents/search-config.js';

/** How the searches of self-play grow with the generations. */
export const GrowthConfig = z.strictObject({
  from: z.int().min(1).max(MAX_SIMULATIONS).default(16).meta({
    description: 'simulations a move in the first generation of self-play',
  }),
  generations: z.int().min(0).default(0).meta({
    description:
      'generations of self-play until the simulations are those of `search`, growing by the same factor in each; 0: they are from the first on',
  }),
});
export type GrowthConfig = z.infer<typeof GrowthConfig>;
