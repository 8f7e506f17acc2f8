import * as z from 'zod';
import { createGame } from '../../env/games.js';
import { readBook } from '../openings/opening-book.js';
import { type SprtSettings, SprtState, sprtState } from '../statistics/sprt.js';
import { TrainingError } from '../training-error.js';
import { type GameOfMatch, keyOfGame, type MatchGame, type MatchListener } from './match-game.js';
import { divideGames, type MatchJob, processesFor } from './match-job.js';
import { completePairs, countPoints, MatchResult, summariseMatch } from './match-result.js';
import type { MatchSettings } from './match-settings.js';
import { type MatchOpenings, planGames } from './openings-of-match.js';

/** State of a match in progress or at its end. */
export const MatchReport = z.strictObject({
  /** Whether all games have been played, or the sequential test has decided. */
  finished: z.boolean(),
  /** Games in the result: those of complete pairs and, with a test, only of the pairs up to its decision. */
  games: z.int().min(0),
  /** Null without a complete pair. */
  result: MatchResult.nullable(),
  /** State of the sequential test; null without one, or without a complete pair. */
  sprt: SprtState.nullable(),
});
export type MatchReport = z.infer<typeof MatchReport>;

/** The services that playing a match uses. */
export interface MatchServices {
  /** Number of processes that play. */
  readonly processes: number;
  /** Plays the jobs; once `signal` is aborted, games in progress end too, unfinished. */
  readonly play: (jobs: readonly MatchJob[], listener: MatchListener, signal: AbortSignal) => Promise<void>;
  /** Games that have already been played. */
  readonly finished?: readonly MatchGame[];
  /** Stores a game that has ended. */
  readonly keep?: (game: MatchGame) => Promise<void>;
  /** Removes a stored game, which does not count. */
  readonly remove?: (game: GameOfMatch) => Promise<void>;
  /** Called with the state of the match when games end, and at the beginning. */
  readonly onReport?: (report: MatchReport) => void;
  /** Stops the match. */
  readonly signal?: AbortSignal;
}

/**
 * The state of a match. A sequential test reads the pairs in order and ends at the first one that decides it, so the
 * result does not depend on the number of processes.
 */
function reportOn({ games, sprt }: MatchSettings, played: Iterable<MatchGame>): MatchReport {
  const pairs = completePairs([...played].filter(({ pair }) => 2 * pair < games));
  const summary = pairs.length === 0 ? null : summariseMatch(pairs);
  if (sprt === null) {
    return { finished: 2 * pairs.length === games, games: 2 * pairs.length, result: summary, sprt: null };
  }
  const gap = pairs.findIndex(([first], index) => first!.pair !== index);
  const known = gap < 0 ? pairs : pairs.slice(0, gap);
  const test = decide(known, sprt);
  const counted = known.slice(0, test?.pairs ?? 0);
  return {
    finished: (test !== null && test.state.accepted !== null) || 2 * pairs.length === games,
    games: 2 * counted.length,
    result: counted.length === 0 ? null : summariseMatch(counted),
    sprt: test?.state ?? null,
  };
}

/** The state of a test at the first pair that decides it, or at the last pair if none does; null without pairs. */
function decide(
  pairs: readonly (readonly MatchGame[])[],
  settings: SprtSettings,
): { readonly pairs: number; readonly state: SprtState } | null {
  const counts = [0, 0, 0, 0, 0];
  let last: { readonly pairs: number; readonly state: SprtState } | null = null;
  for (const [index, pair] of pairs.entries()) {
    for (const [points, count] of countPoints([pair]).entries()) counts[points]! += count;
    last = { pairs: index + 1, state: sprtState(counts, settings) };
    if (last.state.accepted !== null) break;
  }
  return last;
}

/** @throws TrainingError `openings-missing`, `openings-invalid`, `openings-game`, `match-changed`. */
async function openingsOf({ game, openings }: MatchSettings): Promise<MatchOpenings> {
  if ('plies' in openings) return openings;
  const book = await readBook(openings.book);
  if (book.digest !== openings.sha256) {
    throw new TrainingError(
      'match-changed',
      `expected openings with SHA-256 ${openings.sha256} in ${openings.book}, found ${book.digest}`,
    );
  }
  const { id, rules } = createGame(game.id, game.rules);
  if (book.game !== id || book.rules !== rules) {
    throw new TrainingError(
      'openings-game',
      `expected openings of ${id} ${rules} in ${openings.book}, found those of ${book.game} ${book.rules}`,
    );
  }
  return { book };
}

/**
 * Plays the missing games of a match.
 *
 * @returns the state at the end; `finished` is false if stopped.
 * @throws TrainingError `openings-*`, `opening-too-long`, `match-changed` if the book has changed; as `services.play`
 *   and `services.keep` do.
 */
export async function runMatch(settings: MatchSettings, services: MatchServices): Promise<MatchReport> {
  const { games, seed, sprt } = settings;
  const played = new Map((services.finished ?? []).map((game) => [keyOfGame(game), game]));
  let report = reportOn(settings, played.values());
  services.onReport?.(report);
  if (report.finished) return report;
  const game = createGame(settings.game.id, settings.game.rules);
  const plans = planGames(game, await openingsOf(settings), { pairs: games / 2, seed });
  const missing = plans.filter((plan) => !played.has(keyOfGame(plan)));
  const processes = processesFor(settings, services.processes);
  const jobs = divideGames(settings, missing, { processes, isSequential: sprt !== null });
  const decided = new AbortController();
  const signal = AbortSignal.any([decided.signal, ...(services.signal ? [services.signal] : [])]);
  const writes: Promise<unknown>[] = [];
  const failures: unknown[] = [];
  /** Ends the match, since further games could not be stored either. */
  const fail = (error: unknown): void => {
    failures.push(error);
    decided.abort();
  };
  const store = (write: Promise<unknown>): void => {
    writes.push(write.catch(fail));
  };
  /** Resolves when the games that do not count have been removed; their repetitions are stored afterwards. */
  let removing: Promise<unknown> = Promise.resolve();
  const listener: MatchListener = {
    onGame: (ended) => {
      if (signal.aborted) return;
      played.set(keyOfGame(ended), ended);
      store(removing.then(() => services.keep?.(ended)));
      report = reportOn(settings, played.values());
      services.onReport?.(report);
      if (report.finished) decided.abort();
    },
    onRemoved: (removed) => {
      for (const plan of removed) played.delete(keyOfGame(plan));
      // A game may still be being stored.
      const stored = Promise.all(writes);
      removing = stored.then(() => Promise.all(removed.map(async (game) => services.remove?.(game))));
      store(removing);
      report = reportOn(settings, played.values());
      services.onReport?.(report);
    },
  };
  try {
    await services.play(jobs, listener, signal);
  } finally {
    await Promise.all(writes);
  }
  if (failures.length > 0) throw failures[0];
  return report;
}
