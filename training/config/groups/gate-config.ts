import * as z from 'zod';
import { MAX_SIMULATIONS } from '../../../agents/search-defaults.js';
import { openingPliesSetting } from './evaluation-config.js';
import { MAX_GAMES } from './setting-limits.js';

/** The match that a new network must not lose before it plays the games of self-play. */
export const GateConfig = z.strictObject({
  games: z.int().min(0).max(MAX_GAMES).multipleOf(2).default(0).meta({
    description: 'games of each new network against the one that plays self-play; 0: no gate',
  }),
  score: z.number().min(0).max(1).default(0.5).meta({
    description:
      'share of points the new network needs to play self-play; learning continues from it either way',
  }),
  simulations: z
    .int()
    .min(1)
    .max(MAX_SIMULATIONS)
    .default(64)
    .meta({ description: 'MCTS simulations per move of both networks' }),
  openingPlies: openingPliesSetting.meta({
    description: 'as `evaluation.openingPlies`; the openings differ between generations',
  }),
});
export type GateConfig = z.infer<typeof GateConfig>;
