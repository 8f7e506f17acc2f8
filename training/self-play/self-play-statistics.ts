import { z } from 'zod';

const count = z.int().min(0);

/** What came of a number of games; the same for the same games, whoever played them. */
export const GameStatistics = z.strictObject({
  games: count,
  /** Rows in the shard: positions that are learnt from. */
  positions: count,
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
});
export type GameStatistics = z.infer<typeof GameStatistics>;

/** One finished game. */
export interface GameSummary {
  /** To player 0; null for a truncated game. */
  readonly outcome: -1 | 0 | 1 | null;
  readonly plies: number;
  readonly positions: number;
  readonly evaluations: number;
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
  };
}

/** The statistics of all the games together; of none, zeros. */
export function sumStatistics(parts: readonly GameStatistics[]): GameStatistics {
  const total = (key: keyof GameStatistics): number => parts.reduce((sum, part) => sum + part[key], 0);
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
  };
}
