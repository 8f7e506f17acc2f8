import * as z from 'zod';
import { type JsonForm } from '../../../data/files/json-file.js';
import { GameIdentity } from '../../games/game-config.js';
import { countPairs } from '../../statistics/pentanomial.js';
import { MOST_PLAYERS } from '../../statistics/ratings.js';
import { TrainingError } from '../../training-error.js';
import { MatchResult } from '../match-result.js';
import { OpeningSettings } from '../match-settings.js';

/** Version of `ladder.json`. */
export const LADDER_VERSION = 1;

/** A player of a ladder: a checkpoint, or a fixed agent. */
export const LadderPlayer = z.strictObject({
  /** Unique in the ladder. */
  name: z.string().min(1),
  /** Text of the agent. */
  agent: z.string(),
  /** The run of a checkpoint; null for a fixed agent. */
  series: z.string().nullable(),
  /** The generation of a checkpoint; null for a fixed agent. */
  generation: z.int().min(0).nullable(),
  /** SHA-256 of its model's file; null without a model. */
  modelSha256: z.string().nullable(),
});
export type LadderPlayer = z.infer<typeof LadderPlayer>;

/** Whether a match's counts are those of the same games. */
function hasAllGames({ games, result }: { readonly games: number; readonly result: MatchResult }): boolean {
  const { wins, draws, losses, pentanomial } = result;
  return wins + draws + losses === games && 2 * countPairs(pentanomial) === games;
}

/** A finished match of two players, by their indices in the list of players. */
export const LadderMatch = z
  .strictObject({
    first: z.int().min(0),
    second: z.int().min(0),
    games: z.int().min(2),
    /** From the view of `first`. */
    result: MatchResult,
  })
  .refine(hasAllGames, { error: 'expected as many results and pairs as games', path: ['result'] });
export type LadderMatch = z.infer<typeof LadderMatch>;

/**
 * The pairings. `round-robin`: all players play each other. `gauntlet`: a checkpoint plays the fixed agents until they
 * are saturated, and some earlier checkpoints of its run; fixed agents play each other.
 */
export const LADDER_FORMATS = ['gauntlet', 'round-robin'] as const;

/** Settings that determine the games of a ladder; they cannot change. */
const LadderGames = z.strictObject({
  game: GameIdentity,
  seed: z.int().min(0),
  openings: OpeningSettings,
  timeMarginMs: z.number().min(0),
});
export type LadderGames = z.infer<typeof LadderGames>;

/** Settings that determine which games a ladder plays, and its scale; they may change. */
const LadderPlan = z.strictObject({
  format: z.enum(LADDER_FORMATS),
  /** How many earlier checkpoints of its run a checkpoint plays in a gauntlet. */
  neighbours: z.int().min(0),
  /** Games of each match; even. */
  games: z.int().min(2).multipleOf(2),
  /** Name of the player whose rating is 0. */
  anchor: z.string(),
});
export type LadderPlan = z.infer<typeof LadderPlan>;

function hasUniquePairs({ matches }: { readonly matches: readonly LadderMatch[] }): boolean {
  const pairs = matches.map(({ first, second }) => `${Math.min(first, second)} ${Math.max(first, second)}`);
  return new Set(pairs).size === matches.length;
}

function hasUniqueNames({ players }: { readonly players: readonly LadderPlayer[] }): boolean {
  return new Set(players.map(({ name }) => name)).size === players.length;
}

/** The content of `ladder.json`. */
export const Ladder = z
  .strictObject({
    ladderVersion: z.literal(LADDER_VERSION),
    ...LadderGames.shape,
    ...LadderPlan.shape,
    /** The players, in the order in which they joined. */
    players: z.array(LadderPlayer).max(MOST_PLAYERS).readonly(),
    matches: z.array(LadderMatch).readonly(),
  })
  .refine(hasUniqueNames, { error: 'expected players with different names', path: ['players'] })
  .refine(({ players, anchor }) => players.some(({ name }) => name === anchor), {
    error: 'expected the name of a player',
    path: ['anchor'],
  })
  .refine(
    ({ players, matches }) =>
      matches.every(
        ({ first, second }) => first !== second && first < players.length && second < players.length,
      ),
    { error: 'expected matches of two players of the list', path: ['matches'] },
  )
  .refine(hasUniquePairs, { error: 'expected one match of two players', path: ['matches'] });
export type Ladder = z.infer<typeof Ladder>;

/** The form of `ladder.json`. */
export const LADDER_FORM: JsonForm<Ladder> = {
  schema: Ladder,
  name: 'a ladder',
  seal: 'file',
  version: {
    key: 'ladderVersion',
    newest: LADDER_VERSION,
    error: (message) => new TrainingError('ladder-damaged', message),
  },
  error: (message, cause) => new TrainingError('ladder-damaged', message, { cause }),
};
