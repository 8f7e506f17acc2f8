import { createAgent } from '../../agents/create-agent.js';
import { createGame } from '../../env/games.js';
import type { GameConfig } from '../games/game-config.js';
import { openModelFile } from '../export/model-file.js';
import { playGames, type PlayedGames } from './match.js';

/** A match or part of one to be played: plain JSON, to be sent to another process. */
export interface MatchJob {
  readonly game: GameConfig;
  /** Texts of the agents. */
  readonly agent: string;
  readonly opponent: string;
  /** Even: two per pair. */
  readonly games: number;
  readonly seed: number;
  readonly openingPlies: number;
  /** Number of the first pair of games, 0 for a whole match. */
  readonly firstPair: number;
}

/** Divides a match into at most `parts` parts with about equal numbers of pairs. */
export function divideMatch(match: Omit<MatchJob, 'firstPair'>, parts: number): readonly MatchJob[] {
  const pairs = match.games / 2;
  const borders = Array.from({ length: parts + 1 }, (_, part) => Math.floor((part * pairs) / parts));
  return borders
    .slice(1)
    .map((end, part) => ({ ...match, firstPair: borders[part]!, games: 2 * (end - borders[part]!) }))
    .filter(({ games }) => games > 0);
}

/**
 * Plays a part of a match.
 *
 * @throws NotationError for the game, AgentError for an agent's text or model.
 */
export async function playMatchJob(job: MatchJob, onGame?: (finished: number) => void): Promise<PlayedGames> {
  const game = createGame(job.game.id, job.game.rules);
  const agent = await createAgent(job.agent, game, openModelFile);
  try {
    const opponent = await createAgent(job.opponent, game, openModelFile);
    try {
      return await playGames(agent, opponent, { ...job, ...(onGame && { onGame }) });
    } finally {
      await opponent.dispose();
    }
  } finally {
    await agent.dispose();
  }
}
