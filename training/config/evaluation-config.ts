import * as z from 'zod';
import { type PlayOptions, symmetriesOption } from '../../agents/play-options.js';
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
  exploration: z.number().positive().default(0.8).meta({
    description: 'c in the PUCT formula, in these matches and in those of `gate`',
  }),
  symmetries: symmetriesOption.default(1).meta({
    description:
      'board symmetries over which the network is averaged, in these matches and in those of `gate`',
  }),
  openingPlies: z
    .int()
    .min(0)
    .default(4)
    .meta({ description: 'careful random plies before each pair of games' }),
  playsFirst: z.boolean().default(true).meta({ description: 'also play against generation 0' }),
});
export type EvaluationConfig = z.infer<typeof EvaluationConfig>;

/** The options of the networks that play a run's matches; its exports list them. */
export function playOptionsOf({ exploration, symmetries }: EvaluationConfig): PlayOptions {
  return { exploration, symmetries };
}
