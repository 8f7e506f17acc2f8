import * as z from 'zod';
import { AgentText } from './agent-text.js';

/** Matches of the newest network against fixed opponents. */
export const EvaluationConfig = z.strictObject({
  every: z.int().min(0).default(5).meta({ description: 'generations between evaluations; 0: none' }),
  opponents: z
    .array(AgentText)
    .default(['careful', 'greedy', 'alphabeta:depth=1'])
    .meta({ description: 'opponents, a match each' }),
  games: z.int().min(2).multipleOf(2).default(40).meta({ description: 'games per match' }),
  simulations: z.int().min(1).default(64).meta({ description: 'MCTS simulations per move of the network' }),
  openingPlies: z
    .int()
    .min(0)
    .default(4)
    .meta({ description: 'careful random plies before each pair of games' }),
  playsFirst: z.boolean().default(true).meta({ description: 'also play against generation 0' }),
});
export type EvaluationConfig = z.infer<typeof EvaluationConfig>;
