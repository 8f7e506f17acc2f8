import * as z from 'zod';
import { MAX_BATCH } from '../../../agents/evaluators/inference-session.js';
import { precisionOption } from '../../../agents/play-options.js';
import { MAX_SIMULATIONS } from '../../../agents/search-defaults.js';
import { SearchConfig } from '../../../agents/search-config.js';
import { MAX_GAMES, MAX_PLIES, MAX_PROCESSES } from './setting-limits.js';

/** Games of the network against itself. */
export const SelfPlayConfig = z.strictObject({
  processes: z
    .int()
    .min(1)
    .max(MAX_PROCESSES)
    .default(2)
    .meta({ description: 'worker processes, each with one thread' }),
  games: z.int().min(1).max(MAX_GAMES).default(256).meta({ description: 'games per generation' }),
  gamesPerShard: z
    .int()
    .min(1)
    .max(4096)
    .default(64)
    .meta({ description: 'games per shard, which one job plays' }),
  concurrentGames: z
    .int()
    .min(1)
    .max(4096)
    .default(32)
    .meta({ description: 'games that a process plays at the same time' }),
  batchSize: z
    .int()
    .min(1)
    .max(MAX_BATCH)
    .default(16)
    .meta({ description: 'positions per evaluation by the network' }),
  precision: precisionOption.default('float32').meta({
    description: 'precision of the network in these games; `int8` is faster and nearly as accurate',
  }),
  search: SearchConfig.prefault({}),
  randomPlies: z.int().min(0).max(MAX_PLIES).default(4).meta({
    description: 'largest number of opening plies sampled from the policy without search',
  }),
  openingTemperature: z.number().min(0.1).max(1000).default(1).meta({
    description:
      'temperature of these plies; greater ones make openings more diverse, at 1000 all moves are about equally likely',
  }),
  // Absent rather than 0 by default: shards of version 1.0.0 keep their digests.
  randomMoveShare: z.number().min(0).max(1).optional().meta({
    description:
      'share of later moves that are random, without search: half of them uniformly, half by the policy; the next move is searched in full, and earlier positions do not learn the result; absent: 0',
  }),
  quietPlies: z.int().min(0).max(MAX_PLIES).default(0).meta({
    description:
      'plies without a gain or loss of a square after which a game is adjudicated by the values of its searches; 0: never',
  }),
  resignValue: z.number().min(-1).max(0).default(-1).meta({
    description: 'a player resigns when the value of its search, in [-1, 1], is below this; -1: never',
  }),
  playOnShare: z.number().min(0).max(1).default(0.1).meta({
    description: 'share of games without resignation, which calibrate `resignValue`',
  }),
  resignErrorShare: z.number().min(0).max(1).default(0.05).meta({
    description:
      'largest share of wrong resignations, to which later generations adapt `resignValue`; 0: it is fixed',
  }),
  temperature: z
    .number()
    .min(0)
    .max(100)
    .default(1)
    .meta({ description: 'temperature of the move choice by visits; not with a Gumbel root' }),
  temperaturePlies: z.int().min(0).max(MAX_PLIES).default(20).meta({
    description:
      'plies until `finalTemperature` applies or, with a Gumbel root, until moves are chosen without the noise',
  }),
  finalTemperature: z.number().min(0).max(100).default(0).meta({
    description: 'temperature after `temperaturePlies`; 0: the best move; not with a Gumbel root',
  }),
  fullSearchShare: z.number().min(0).max(1).default(1).meta({
    description: 'share of moves searched in full; only these are learnt',
  }),
  cheapSimulations: z.int().min(1).max(MAX_SIMULATIONS).default(16).meta({
    description:
      'simulations of the other moves, without noise; a Gumbel root then considers one action per eight of them, at least 4',
  }),
  dirichletScale: z
    .number()
    .min(0)
    .max(1e6)
    .default(10)
    .meta({ description: 'alpha of the Dirichlet noise is this divided by the number of legal actions' }),
  noiseFraction: z.number().min(0).max(1).default(0.25).meta({
    description: 'weight of the Dirichlet noise in the priors of the root; not with a Gumbel root',
  }),
  gumbelScale: z
    .number()
    .min(0)
    .max(100)
    .default(1)
    .meta({ description: 'scale of the Gumbel noise, with a Gumbel root' }),
});
export type SelfPlayConfig = z.infer<typeof SelfPlayConfig>;
