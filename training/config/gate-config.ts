import { z } from 'zod';

/** The match that a new network must not lose before it plays the games of self-play. */
export const GateConfig = z.strictObject({
  games: z.int().min(0).multipleOf(2).default(0).meta({
    description:
      'games that each new network plays with the one that plays self-play; 0: the newest always plays it',
  }),
  score: z.number().min(0).max(1).default(0.5).meta({
    description:
      'least share of the points with which the new network takes its place; learning goes on from it either way',
  }),
  simulations: z.int().min(1).default(64).meta({ description: 'MCTS simulations of both networks' }),
  openingPlies: z.int().min(0).default(4).meta({
    description: 'careful random plies before a game of that match; other ones for each generation',
  }),
});
export type GateConfig = z.infer<typeof GateConfig>;
