import { CACHE_SIZE } from '../play/cache-size.js';
import type { InferenceSession } from '../../agents/evaluators/inference-session.js';
import { NetworkEvaluator } from '../../agents/evaluators/network-evaluator.js';
import type { Game } from '../../env/game.js';
import type { SelfPlayConfig } from '../config/groups/self-play-config.js';
import type { FinishedGame } from './training-game.js';
import type { GameRange } from './game-range.js';
import type { JobEffort } from './job-effort.js';
import { playSelfPlayGames } from './self-play.js';
import type { RecordedMoves } from './self-play-game.js';
import type { Teacher } from './teacher.js';

/** The games of a job, by number. */
export interface PlayedGames {
  readonly games: readonly FinishedGame[];
  readonly effort: JobEffort;
}

/** The games of a network that are to be played. */
export interface NetworkGames extends GameRange {
  readonly config: SelfPlayConfig;
  readonly seed: number;
  /** For games that are played again: their moves. */
  readonly recorded?: RecordedMoves | undefined;
  /** Replaces the targets of the searches. */
  readonly teacher?: Teacher | undefined;
}

/**
 * Plays games of a network against itself, and disposes the session. It runs in browsers too.
 *
 * @param onGame called with each game as it ends.
 * @throws AgentError if the network is not of `game`.
 */
export async function playNetworkGames(
  game: Game<unknown>,
  session: InferenceSession,
  { config, seed, recorded, teacher, ...range }: NetworkGames,
  onGame?: (game: FinishedGame) => void,
): Promise<PlayedGames> {
  const options = { batchSize: config.batchSize, cacheSize: CACHE_SIZE };
  const evaluator = await NetworkEvaluator.create(game, session, options);
  try {
    const startMs = performance.now();
    const games = await playSelfPlayGames(
      { game, config, seed, recorded, teacher },
      range,
      evaluator,
      onGame,
    );
    const seconds = (performance.now() - startMs) / 1000;
    const { evaluated, cache } = evaluator;
    return { games, effort: { seconds, networkEvaluations: evaluated, cacheHits: cache.hits } };
  } finally {
    await evaluator.dispose();
  }
}
