import type { Agent } from '../../agents/agent.js';
import type { MatchGame } from './match-game.js';
import { playGames } from './match-play.js';
import { completePairs, type MatchResult, summarizeMatch } from './match-result.js';
import { planGames } from './openings-of-match.js';

/** Settings of a match between two agents of this process. */
export interface MatchOptions {
  /** Even, at least 2: every opening is played twice, with colours exchanged. */
  readonly games: number;
  /** Seed of the openings and of each game's random streams. */
  readonly seed: number;
  /** Careful random plies before the agents play. */
  readonly openingPlies: number;
}

/**
 * Plays a match between two agents of the same game, all games at once. For agents with a time limit use `runMatch`,
 * which plays in separate processes.
 *
 * @throws TrainingError `opening-too-long`.
 */
export async function playMatch<State>(
  agent: Agent<State>,
  opponent: Agent<State>,
  { games, seed, openingPlies }: MatchOptions,
): Promise<MatchResult> {
  const plans = planGames(agent.game, { plies: openingPlies }, { pairs: games / 2, seed });
  const finished: MatchGame[] = [];
  const options = { seed, atOnce: games, forfeitMs: [null, null] } as const;
  await playGames([agent, opponent], plans, options, (game) => finished.push(game));
  return summarizeMatch(completePairs(finished));
}
