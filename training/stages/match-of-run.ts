import type { MatchResult } from '../matches/match-result.js';
import { runMatch } from '../matches/match-run.js';
import { MatchSettings } from '../matches/match-settings.js';
import type { MatchServices } from './loop-services.js';

/** Settings that matches of runs leave at their defaults. */
const DEFAULTS = MatchSettings.pick({ timeMarginMs: true, sprt: true }).parse({});

/** A match of a run, with random openings. */
export type MatchOfRun = Pick<MatchSettings, 'game' | 'agent' | 'opponent' | 'games' | 'seed'> & {
  /** Careful random plies before each pair of games. */
  readonly openingPlies: number;
};

/**
 * Plays a match of a run, and reports its progress.
 *
 * @throws as `runMatch` and `WorkerPool.playMatch` do.
 */
export async function playMatchOfRun(
  { pool, observer }: Pick<MatchServices, 'pool' | 'observer'>,
  { openingPlies, ...match }: MatchOfRun,
): Promise<MatchResult> {
  const settings: MatchSettings = { ...DEFAULTS, ...match, openings: { plies: openingPlies } };
  let finished = 0;
  const { result } = await runMatch(settings, {
    processes: pool.processes,
    play: (jobs, onGame) =>
      pool.playMatch(jobs, (game) => {
        onGame(game);
        finished += 1;
        observer.onProgress(finished, match.games);
      }),
  });
  return result!;
}
