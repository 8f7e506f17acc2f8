import * as z from 'zod';
import { DEFAULT_SIMULATIONS, MAX_SIMULATIONS, PUCT_DEFAULTS } from './search-defaults.js';

/** c in the PUCT formula. */
export const explorationSetting = z.number().positive().max(100);

const simulations = z
  .int()
  .min(1)
  .max(MAX_SIMULATIONS)
  .meta({ description: 'MCTS simulations per move' })
  .default(DEFAULT_SIMULATIONS);

const decisiveMoves = z.boolean().default(PUCT_DEFAULTS.decisiveMoves).meta({
  description: 'proves wins in one without an evaluation',
});

/** Selection by PUCT at all nodes. */
export const PuctSearchConfig = z.strictObject({
  root: z
    .literal('puct')
    .default(PUCT_DEFAULTS.root)
    .meta({ description: 'selection of moves: `puct` or `gumbel`' }),
  simulations,
  decisiveMoves,
  exploration: explorationSetting
    .default(PUCT_DEFAULTS.exploration)
    .meta({ description: 'c in the PUCT formula' }),
  firstPlayReduction: z.number().min(0).max(2).default(PUCT_DEFAULTS.firstPlayReduction).meta({
    description:
      'reduction of an unvisited action below the value of its parent once all others are tried; not at the root',
  }),
});

/** Sequential halving with Gumbel noise at the root, selection by the improved policy below. */
export const GumbelSearchConfig = z.strictObject({
  root: z.literal('gumbel'),
  simulations,
  decisiveMoves,
  consideredActions: z.int().min(1).max(1024).default(16).meta({
    description: 'root actions that share the simulations (m)',
  }),
  valueScale: z.number().positive().max(1000).default(0.1).meta({
    description: 'scale of values in logits (c_scale): c_scale * (maxVisitInit + most visits) * value',
  }),
  rescaleValues: z.boolean().default(true).meta({
    description:
      'values are scaled to [0, 1] among their siblings before `valueScale`; false: they are in [-1, 1]',
  }),
  maxVisitInit: z.number().min(0).max(MAX_SIMULATIONS).default(50).meta({
    description: 'added to the visits of the most visited action in that product (c_visit)',
  }),
});
export type GumbelSearchConfig = z.infer<typeof GumbelSearchConfig>;

/** Settings of Monte Carlo tree search: one schema for agents' texts and run files. */
export const SearchConfig = z.discriminatedUnion('root', [PuctSearchConfig, GumbelSearchConfig]);
export type SearchConfig = z.infer<typeof SearchConfig>;
/** `SearchConfig` with `root` `puct`. */
export type PuctSearchConfig = z.infer<typeof PuctSearchConfig>;
