import * as z from 'zod';
import { AgentText } from './agent-text.js';
import { MAX_GAMES, MAX_PLIES } from './setting-limits.js';

/** Games of a hand-written agent from which the first network learns. */
export const WarmStartConfig = z.strictObject({
  agent: AgentText.default('alphabeta:depth=2').meta({ description: 'agent that plays both sides' }),
  games: z.int().min(0).max(MAX_GAMES).default(0).meta({ description: 'number of games; 0: no warm start' }),
  randomPlies: z
    .int()
    .min(0)
    .max(MAX_PLIES)
    .default(6)
    .meta({ description: 'largest number of opening plies by `careful`, so that games differ' }),
  randomMoveShare: z
    .number()
    .min(0)
    .max(1)
    .default(0.1)
    .meta({ description: 'share of later moves played by `careful`, which are no policy targets' }),
  quietPlies: z.int().min(0).max(MAX_PLIES).default(0).meta({
    description: "as `selfPlay.quietPlies`, by the agent's values; positions of the quiet end are left out",
  }),
});
export type WarmStartConfig = z.infer<typeof WarmStartConfig>;
