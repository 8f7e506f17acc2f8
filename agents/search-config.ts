import { z } from 'zod';

/** How Monte Carlo tree search spends its simulations. One schema for agents' texts and run files. */
export const SearchConfig = z.strictObject({
  simulations: z.int().min(1).max(1_000_000).default(64).meta({ description: 'MCTS simulations per move' }),
  exploration: z.number().positive().default(1.25).meta({ description: 'c in the PUCT formula' }),
  firstPlayReduction: z.number().min(0).max(2).default(0.25).meta({
    description:
      'how much worse than its parent an unvisited action is taken to be, once all others are tried; not at the root',
  }),
});
export type SearchConfig = z.infer<typeof SearchConfig>;
