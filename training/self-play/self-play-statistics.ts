import * as z from 'zod';
import { LOW_BINS, type ResignationSummary } from './resignation.js';

const count = z.int().min(0);
const lows = z.array(count).length(LOW_BINS);

/** Statistics of some games; they depend only on the games. */
export const GameStatistics = z.strictObject({
  games: count,
  /** Rows in the shard. */
  positions: count,
  /** Rows to learn from, which exclude those of cheap searches and of adjudicated ends. */
  learntPositions: count,
  plies: count,
  shortestPlies: count,
  longestPlies: count,
  /** Games that player 0 won, that were drawn, that player 1 won, and that reached the ply limit. */
  wins: count,
  draws: count,
  losses: count,
  truncated: count,
  /** Evaluations requested by searches; 0 for agents without a network. */
  evaluations: count,
  /** Games that were adjudicated; also counted as won, drawn or lost. */
  adjudicated: count,
  /** Games that ended by resignation; also counted as won or lost. */
  resigned: count,
  /** Games without resignation, for calibration. */
  playedOn: count,
  /** `[20]` counts of these games by the lowest value of the side that lost, in bins of 0.05 from -1. */
  loserLows: lows,
  /** `[20]` the same for the side that won, or the lower value of a drawn game. */
  survivorLows: lows,
});
export type GameStatistics = z.infer<typeof GameStatistics>;

/** One finished game. */
export interface GameSummary {
  /** Outcome to player 0; null for a truncated game. */
  readonly outcome: -1 | 0 | 1 | null;
  readonly plies: number;
  readonly positions: number;
  readonly learntPositions: number;
  readonly isAdjudicated: boolean;
  readonly evaluations: number;
  readonly resignation: ResignationSummary;
}

/** `[LOW_BINS]` 1 at `bin`, else 0. */
function oneAt(bin: number | null): number[] {
  return Array.from({ length: LOW_BINS }, (_, index) => (index === bin ? 1 : 0));
}

/** The statistics of one game. */
export function statisticsOfGame(game: GameSummary): GameStatistics {
  return {
    games: 1,
    positions: game.positions,
    learntPositions: game.learntPositions,
    plies: game.plies,
    shortestPlies: game.plies,
    longestPlies: game.plies,
    wins: game.outcome === 1 ? 1 : 0,
    draws: game.outcome === 0 ? 1 : 0,
    losses: game.outcome === -1 ? 1 : 0,
    truncated: game.outcome === null ? 1 : 0,
    evaluations: game.evaluations,
    adjudicated: game.isAdjudicated ? 1 : 0,
    resigned: game.resignation.isResigned ? 1 : 0,
    playedOn: game.resignation.isPlayedOn ? 1 : 0,
    loserLows: oneAt(game.resignation.loserBin),
    survivorLows: oneAt(game.resignation.survivorBin),
  };
}

type ListName = 'loserLows' | 'survivorLows';

/** The statistics of all games together; zeros for none. */
export function sumStatistics(parts: readonly GameStatistics[]): GameStatistics {
  const total = (key: Exclude<keyof GameStatistics, ListName>): number =>
    parts.reduce((sum, part) => sum + part[key], 0);
  const totals = (key: ListName): number[] =>
    Array.from({ length: LOW_BINS }, (_, bin) => parts.reduce((sum, part) => sum + part[key][bin]!, 0));
  const played = parts.filter((part) => part.games > 0);
  return {
    games: total('games'),
    positions: total('positions'),
    learntPositions: total('learntPositions'),
    plies: total('plies'),
    shortestPlies: played.length === 0 ? 0 : Math.min(...played.map((part) => part.shortestPlies)),
    longestPlies: Math.max(0, ...played.map((part) => part.longestPlies)),
    wins: total('wins'),
    draws: total('draws'),
    losses: total('losses'),
    truncated: total('truncated'),
    evaluations: total('evaluations'),
    adjudicated: total('adjudicated'),
    resigned: total('resigned'),
    playedOn: total('playedOn'),
    loserLows: totals('loserLows'),
    survivorLows: totals('survivorLows'),
  };
}
