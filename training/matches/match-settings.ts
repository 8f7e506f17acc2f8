import * as z from 'zod';
import { MAX_GAMES, MAX_OPENING_PLIES } from '../config/groups/setting-limits.js';
import { GameIdentity } from '../games/game-config.js';
import { SprtSettings } from '../statistics/sprt.js';

/** Greatest margin, in ms, by which a move may exceed its time limit. */
const MAX_TIME_MARGIN_MS = 1_000_000;

/** The openings of a match: the file of a book and its digest, or a number of careful random plies. */
export const OpeningSettings = z.union([
  z.strictObject({ book: z.string(), sha256: z.string() }),
  z.strictObject({ plies: z.int().min(0).max(MAX_OPENING_PLIES) }),
]);
export type OpeningSettings = z.infer<typeof OpeningSettings>;

/** Everything that determines the games of a match, and how many of them count. */
export const MatchSettings = z.strictObject({
  game: GameIdentity,
  /** Texts of the agents. */
  agent: z.string(),
  opponent: z.string(),
  /** Number of games: even, two per pair; with a sequential test, the greatest number. */
  games: z.int().min(2).max(MAX_GAMES).multipleOf(2),
  seed: z.int().min(0),
  openings: OpeningSettings,
  /** Milliseconds by which a move may exceed its agent's time limit; a later move loses. */
  timeMarginMs: z.number().min(0).max(MAX_TIME_MARGIN_MS).default(500),
  /** A sequential test, which ends the match early; null: none. */
  sprt: SprtSettings.nullable().default(null),
});
export type MatchSettings = z.infer<typeof MatchSettings>;
