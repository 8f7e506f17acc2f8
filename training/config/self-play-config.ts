import { z } from 'zod';
import { SearchConfig } from '../../agents/search-config.js';
import { GrowthConfig } from './growth-config.js';
import { StartsConfig } from './starts-config.js';

/** How games of the network against itself are played. */
export const SelfPlayConfig = z.strictObject({
  processes: z.int().min(1).max(256).default(2).meta({ description: 'single-threaded processes' }),
  games: z.int().min(1).default(256).meta({ description: 'games a generation' }),
  gamesPerShard: z.int().min(1).default(64).meta({ description: 'games a job plays and a shard holds' }),
  concurrentGames: z.int().min(1).default(32).meta({ description: 'games a process plays at once' }),
  batchSize: z.int().min(1).max(1024).default(16).meta({ description: 'positions a network evaluation' }),
  precision: z.enum(['float32', 'int8']).default('float32').meta({
    description: 'of the network that plays these games; `int8` is quicker and nearly as exact',
  }),
  search: SearchConfig.prefault({}),
  growth: GrowthConfig.prefault({}),
  randomPlies: z.int().min(0).default(4).meta({
    description: 'greatest number of plies at the start drawn from the policy of the network alone',
  }),
  starts: StartsConfig.prefault({}),
  resignValue: z.number().min(-1).max(0).default(-1).meta({
    description: 'a player whose search says less than this, in [-1, 1], resigns; -1: nobody does',
  }),
  playOnShare: z.number().min(0).max(1).default(0.1).meta({
    description: 'share of games in which nobody resigns, to calibrate resignation',
  }),
  resignErrorShare: z.number().min(0).max(1).default(0.05).meta({
    description:
      'of games played on, greatest share of those that resignation would have ended wrongly: it sets resignValue in later generations; 0: it stays',
  }),
  temperature: z
    .number()
    .min(0)
    .default(1)
    .meta({ description: 'of the move choice by visits; not with a Gumbel root' }),
  temperaturePlies: z.int().min(0).default(20).meta({ description: 'plies before the final temperature' }),
  finalTemperature: z.number().min(0).default(0).meta({
    description: 'of the move choice after those plies; 0: the best move; not with a Gumbel root',
  }),
  temperatureMargin: z.number().min(0).max(2).default(0).meta({
    description:
      'moves whose value, in [-1, 1], is more than this below that of the most visited one are not drawn, so that no blunder decides a result; 0: all may be; not with a Gumbel root',
  }),
  fullSearchShare: z.number().min(0).max(1).default(1).meta({
    description: 'share of moves searched in full; only these are learnt as policy',
  }),
  cheapSimulations: z.int().min(1).default(16).meta({
    description: 'simulations of the other moves, which are searched without noise',
  }),
  dirichletScale: z
    .number()
    .min(0)
    .default(10)
    .meta({ description: 'alpha of the Dirichlet noise is this over the number of legal actions' }),
  noiseFraction: z.number().min(0).max(1).default(0.25).meta({
    description: 'weight of the Dirichlet noise in the priors of the root; none with a Gumbel root',
  }),
  gumbelScale: z
    .number()
    .min(0)
    .max(100)
    .default(1)
    .meta({ description: 'factor of the Gumbel noise, with a Gumbel root' }),
});
export type SelfPlayConfig = z.infer<typeof SelfPlayConfig>;
