import { z } from 'zod';
import { LOW_BINS, type ResignationSummary } from './resignation.js';
import type { StartKind } from '../config/starts-config.js';

const count = z.int().min(0);
// Shards of versions without resignation have no such numbers.
const countOrNone = count.default(0);
const lows = z
  .array(count)
  .length(LOW_BINS)
  .default(() => new Array<number>(LOW_BINS).fill(0));

/** Games by where they began, and the plies of them that were there before. */
const StartCounts = z.strictObject({
  initial: count,
  careful: count,
  archive: count,
  fork: count,
  reduced: count,
  pliesBefore: count,
});
type StartCounts = z.infer<typeof StartCounts>;

/** What came of a number of games; the same for the same games, whoever played them. */
export const GameStatistics = z.strictObject({
  games: count,
  /** Rows in the shard: positions that are learnt from. */
  positions: count,
  /** Of whole games: those before a start elsewhere are counted. */
  plies: count,
  shortestPlies: count,
  longestPlies: count,
  /** Games that player 0 won, that were drawn, that player 1 won, and that reached the ply limit. */
  wins: count,
  draws: count,
  losses: count,
  truncated: count,
  /** Evaluations that searches asked for; 0 for agents that are not searched with. */
  evaluations: count,
  /** Games that ended by resignation; they are won and lost too. */
  resigned: countOrNone,
  /** Games in which nobody could resign, for calibration. */
  playedOn: countOrNone,
  /** `[20]` those by the lowest value that the side that lost saw, bins of 0.05 from -1 on. */
  loserLows: lows,
  /** `[20]` those by the lowest value that the side that won saw, or either side of a drawn game. */
  survivorLows: lows,
  /** Absent where games begin at the game's own start only. */
  starts: StartCounts.optional(),
});
export type GameStatistics = z.infer<typeof GameStatistics>;

/** One finished game. */
export interface GameSummary {
  /** To player 0; null for a truncated game. */
  readonly outcome: -1 | 0 | 1 | null;
  readonly plies: number;
  readonly positions: number;
  readonly evaluations: number;
  readonly resignation: ResignationSummary;
  /** Null where all games begin at the game's own start. */
  readonly start: { readonly kind: StartKind; readonly ply: number } | null;
}

const NO_STARTS: StartCounts = { initial: 0, careful: 0, archive: 0, fork: 0, reduced: 0, pliesBefore: 0 };

/** All 0, but 1 at `bin`. */
function oneAt(bin: number | null): number[] {
  return Array.from({ length: LOW_BINS }, (_, index) => (index === bin ? 1 : 0));
}

/** The statistics of one game. */
export function statisticsOfGame(game: GameSummary): GameStatistics {
  return {
    games: 1,
    positions: game.positions,
    plies: game.plies,
    shortestPlies: game.plies,
    longestPlies: game.plies,
    wins: game.outcome === 1 ? 1 : 0,
    draws: game.outcome === 0 ? 1 : 0,
    losses: game.outcome === -1 ? 1 : 0,
    truncated: game.outcome === null ? 1 : 0,
    evaluations: game.evaluations,
    resigned: game.resignation.isResigned ? 1 : 0,
    playedOn: game.resignation.isPlayedOn ? 1 : 0,
    loserLows: oneAt(game.resignation.loserBin),
    survivorLows: oneAt(game.resignation.survivorBin),
    ...(game.start !== null && {
      starts: { ...NO_STARTS, [game.start.kind]: 1, pliesBefore: game.start.ply },
    }),
  };
}

/** Sums; games of parts that say nothing began at the game's own start. */
function sumStarts(parts: readonly GameStatistics[]): StartCounts {
  const sum = { ...NO_STARTS };
  for (const { starts, games } of parts) {
    const counts = starts ?? { ...NO_STARTS, initial: games };
    for (const key of Object.keys(sum) as (keyof StartCounts)[]) sum[key] += counts[key];
  }
  return sum;
}

type ListName = 'loserLows' | 'survivorLows';

/** The statistics of all the games together; of none, zeros. */
export function sumStatistics(parts: readonly GameStatistics[]): GameStatistics {
  const total = (key: Exclude<keyof GameStatistics, ListName | 'starts'>): number =>
    parts.reduce((sum, part) => sum + part[key], 0);
  const totals = (key: ListName): number[] =>
    Array.from({ length: LOW_BINS }, (_, bin) => parts.reduce((sum, part) => sum + part[key][bin]!, 0));
  const played = parts.filter((part) => part.games > 0);
  return {
    games: total('games'),
    positions: total('positions'),
    plies: total('plies'),
    shortestPlies: played.length === 0 ? 0 : Math.min(...played.map((part) => part.shortestPlies)),
    longestPlies: Math.max(0, ...played.map((part) => part.longestPlies)),
    wins: total('wins'),
    draws: total('draws'),
    losses: total('losses'),
    truncated: total('truncated'),
    evaluations: total('evaluations'),
    resigned: total('resigned'),
    playedOn: total('playedOn'),
    loserLows: totals('loserLows'),
    survivorLows: totals('survivorLows'),
    ...(parts.some(({ starts }) => starts !== undefined) && { starts: sumStarts(parts) }),
  };
}
