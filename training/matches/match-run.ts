import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { createGame } from '../../env/games.js';
import { readBook } from '../openings/opening-book.js';
import { type SprtSettings, SprtState, sprtState } from '../statistics/sprt.js';
import { TrainingError } from '../training-error.js';
import {
  type GameOfMatch,
  type GamePlan,
  keyOfGame,
  type MatchGame,
  type MatchListener,
} from './match-game.js';
import { divideGames, type MatchJob, processesFor } from './match-job.js';
import { completePairs, countPoints, MatchResult, summarizeMatch } from './match-result.js';
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
  /** Called with the state of the match and all its games so far when games end, and at the beginning. */
  readonly onReport?: (report: MatchReport, games: readonly MatchGame[]) => void;
  /** Stops the match. */
  readonly signal?: AbortSignal;
}

/**
 * The state of a match. A sequential test reads the pairs in order and ends at the first one that decides it, so the
 * result does not depend on the number of processes.
 */
function reportOn({ games, sprt }: MatchSettings, played: readonly MatchGame[]): MatchReport {
  const pairs = completePairs(played);
  const summary = pairs.length === 0 ? null : summarizeMatch(pairs);
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
    result: counted.length === 0 ? null : summarizeMatch(counted),
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
async function openingsOf({
  game,
  openings,
}: Pick<MatchSettings, 'game' | 'openings'>): Promise<MatchOpenings> {
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
 * Expects stored games to be those of the plan, whoever has put them there.
 *
 * @throws TrainingError `match-damaged`.
 */
function expectPlanned(finished: readonly MatchGame[], plans: readonly GamePlan[]): void {
  for (const game of finished) {
    const plan = plans[keyOfGame(game)];
    // The match may have had more games when this one was played.
    if (plan === undefined || isDeepStrictEqual(game.opening, plan.opening)) continue;
    throw new TrainingError(
      'match-damaged',
      `expected the games of this match: the game of pair ${game.pair} with the agent as player ${game.agentPlayer} ` +
        'begins with another opening; remove its file to play it again',
    );
  }
}

/** The games of a match in progress: counts them, stores them, and ends the playing once no more are needed. */
class GamesInProgress implements MatchListener {
  report: MatchReport;
  private readonly settings: MatchSettings;
  private readonly services: MatchServices;
  private readonly played: Map<number, MatchGame>;
  private readonly writes: Promise<unknown>[] = [];
  private readonly failures: unknown[] = [];
  private ended = new AbortController();
  /** Resolves when the games that do not count have been removed; their repetitions are stored afterwards. */
  private removing: Promise<unknown> = Promise.resolve();

  constructor(settings: MatchSettings, services: MatchServices) {
    this.settings = settings;
    this.services = services;
    // The match may have had more games when these were played.
    const counted = (services.finished ?? []).filter(({ pair }) => 2 * pair < settings.games);
    this.played = new Map(counted.map((game) => [keyOfGame(game), game]));
    this.report = this.count();
  }

  /** Whether further games are to be played. */
  get isOpen(): boolean {
    return !this.report.finished && this.failures.length === 0 && this.services.signal?.aborted !== true;
  }

  /** Whether no further games are necessary, or none could be stored. */
  get hasEnded(): boolean {
    return this.ended.signal.aborted;
  }

  /** Whether a game still has to be played. */
  readonly isMissing = (game: GameOfMatch): boolean => !this.played.has(keyOfGame(game));

  readonly onGame = (game: MatchGame): void => {
    if (this.hasEnded || this.services.signal?.aborted === true) return;
    this.played.set(keyOfGame(game), game);
    this.store(this.removing.then(() => this.services.keep?.(game)));
    this.report = this.count();
    if (this.report.finished) this.ended.abort();
  };

  readonly onRemoved = (games: readonly GameOfMatch[]): void => {
    for (const game of games) this.played.delete(keyOfGame(game));
    // A game may still be being stored.
    const stored = Promise.all(this.writes);
    this.removing = stored.then(() => Promise.all(games.map(async (game) => this.services.remove?.(game))));
    this.store(this.removing);
    this.report = this.count();
  };

  /** Begins to play games. @returns the signal that ends them. */
  begin(): AbortSignal {
    const { signal } = this.services;
    this.ended = new AbortController();
    return signal === undefined ? this.ended.signal : AbortSignal.any([this.ended.signal, signal]);
  }

  /** Resolves when all games have been stored or removed, or could not be. */
  async settle(): Promise<void> {
    await Promise.all(this.writes);
  }

  /** @throws the first error of storing or removing a game. */
  expectStored(): void {
    if (this.failures.length > 0) throw this.failures[0];
  }

  private count(): MatchReport {
    const games = [...this.played.values()];
    const report = reportOn(this.settings, games);
    this.services.onReport?.(report, games);
    return report;
  }

  private store(write: Promise<unknown>): void {
    const stored = write.catch((error: unknown) => {
      this.failures.push(error);
      // Further games could not be stored either.
      this.ended.abort();
    });
    this.writes.push(stored);
  }
}

/**
 * Plans the games of a match, also to refuse one that cannot be played before anything is written.
 *
 * @throws NotationError for the game; TrainingError `openings-*`, `opening-too-long`, `match-changed` if the book has
 *   changed.
 */
export async function planMatch(
  settings: Pick<MatchSettings, 'game' | 'openings' | 'games' | 'seed'>,
): Promise<readonly GamePlan[]> {
  const { games, seed } = settings;
  const game = createGame(settings.game.id, settings.game.rules);
  return planGames(game, await openingsOf(settings), { pairs: games / 2, seed });
}

/**
 * Plays the missing games of a match.
 *
 * @returns the state at the end; `finished` is false if stopped.
 * @throws as `planMatch`; TrainingError `match-damaged` if a finished game has another opening; as `services.play`,
 *   `services.keep` and `services.remove` do.
 */
export async function runMatch(settings: MatchSettings, services: MatchServices): Promise<MatchReport> {
  const { sprt } = settings;
  const plans = await planMatch(settings);
  expectPlanned(services.finished ?? [], plans);
  const progress = new GamesInProgress(settings, services);
  if (progress.report.finished) return progress.report;
  const processes = processesFor(settings, services.processes);
  do {
    const missing = plans.filter(progress.isMissing);
    const jobs = divideGames(settings, missing, { processes, isSequential: sprt !== null });
    try {
      await services.play(jobs, progress, progress.begin());
    } finally {
      await progress.settle();
    }
    // Games may have been removed after those of a machine that lied had ended the match.
  } while (progress.isOpen && progress.hasEnded);
  progress.expectStored();
  return progress.report;
}
