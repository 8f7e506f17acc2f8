import * as z from 'zod';
import {
  leavesOption,
  type PlayOptions,
  precisionOption,
  symmetriesOption,
} from '../../../agents/play-options.js';
import { explorationSetting } from '../../../agents/search-config.js';
import { MAX_SIMULATIONS } from '../../../agents/search-defaults.js';
import { AgentText } from './agent-text.js';
import { MAX_ENTRIES, MAX_GAMES, MAX_GENERATIONS, MAX_OPENING_PLIES } from './setting-limits.js';

/** Careful random plies that open the matches of a run in place of a book. */
export const openingPliesSetting = z.int().min(0).max(MAX_OPENING_PLIES).optional();

/** Matches of the newest network against fixed opponents and earlier networks. */
export const EvaluationConfig = z.strictObject({
  every: z
    .int()
    .min(0)
    .max(MAX_GENERATIONS)
    .default(5)
    .meta({ description: 'generations between evaluations; 0: none' }),
  opponents: z
    .array(AgentText)
    .max(MAX_ENTRIES)
    .default(['careful', 'greedy', 'alphabeta:depth=1'])
    .meta({ description: 'opponents, one match each; saturated ones are left out' }),
  earlier: z.int().min(0).max(MAX_GENERATIONS).default(2).meta({
    description: 'number of earlier evaluated generations, the newest ones, that are opponents too',
  }),
  timeShare: z.number().min(0).max(1).default(1).meta({
    description: "share of the run's working time that these matches may take; 1: no limit",
  }),
  games: z.int().min(2).max(MAX_GAMES).multipleOf(2).default(40).meta({ description: 'games per match' }),
  simulations: z
    .int()
    .min(1)
    .max(MAX_SIMULATIONS)
    .default(64)
    .meta({ description: 'MCTS simulations per move of the network' }),
  exploration: explorationSetting.default(0.8).meta({
    description: 'c in the PUCT formula, in these matches and in those of `gate`',
  }),
  symmetries: symmetriesOption.default(1).meta({
    description:
      'board symmetries over which the network is averaged, in these matches and in those of `gate`',
  }),
  leaves: leavesOption.default(1).meta({
    description:
      'positions of a game that a search evaluates together, in these matches and in those of `gate`',
  }),
  precision: precisionOption.default('float32').meta({
    description:
      'precision of the network in these matches and in those of `gate`; `int8` needs `selfPlay.precision` int8',
  }),
  openingPlies: openingPliesSetting.meta({
    description:
      'careful random plies before each pair of games; absent: the book of the game, or 4 plies if it has none',
  }),
  playsFirst: z.boolean().default(true).meta({ description: 'also play against generation 0' }),
});
export type EvaluationConfig = z.infer<typeof EvaluationConfig>;

/** The options of the networks that play a run's matches; its exports list them. */
export function playOptionsOf({ exploration, symmetries, leaves, precision }: EvaluationConfig): PlayOptions {
  return { exploration, symmetries, leaves, precision };
}
