import type { MatchGame } from '../../../training/matches/match-game.js';
import { type MatchJob, playMatchJob } from '../../../training/matches/match-job.js';
import type { MatchServices } from '../../../training/matches/match-run.js';
import { MatchSettings } from '../../../training/matches/match-settings.js';

/** A short match of Connect Four. */
export const CONNECT_FOUR_MATCH = MatchSettings.parse({
  game: { id: 'connect-four' },
  agent: 'alphabeta:depth=3',
  opponent: 'random',
  games: 10,
  seed: 4,
  openings: { plies: 3 },
});

/** Plays jobs in this process one after another, until the signal is aborted. */
export const playHere: MatchServices['play'] = async (jobs, listener, signal) => {
  for (const job of jobs) {
    if (signal.aborted) return;
    await playMatchJob(job, listener.onGame);
  }
};

/** Plays a game of each job in turn, as several processes might, until the signal is aborted. */
export const playInTurns: MatchServices['play'] = async (jobs, listener, signal) => {
  const parts: MatchJob[] = jobs.flatMap((job) => job.plans.map((plan) => ({ ...job, plans: [plan] })));
  for (const part of parts.reverse()) {
    if (signal.aborted) return;
    await playMatchJob(part, listener.onGame);
  }
};

/** The games in order, without their times. */
export function withoutTimes(games: readonly MatchGame[]): readonly MatchGame[] {
  return games
    .map((game) => ({ ...game, moves: game.moves.map((move) => ({ ...move, ms: 0 })) }))
    .sort((a, b) => a.pair - b.pair || a.agentPlayer - b.agentPlayer);
}
