import { resolve } from 'node:path';
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { createGame } from '../../env/games.js';
import { MAX_OPENING_PLIES } from '../../training/config/groups/setting-limits.js';
import { defaultOpenings } from '../../training/matches/default-openings.js';
import type { MatchSettings, OpeningSettings } from '../../training/matches/match-settings.js';
import { readBook } from '../../training/openings/opening-book.js';
import type { SprtSettings } from '../../training/statistics/sprt.js';
import { nonNegativeNumber, processNumber, seedNumber, wholeNumber } from './numbers.js';
import { inputPath } from './shipped-file.js';

/** `--openings`: the book of a match. */
export const openingsOption = new Option(
  '--openings <file>',
  "book of openings (default: the game's own, if it has one for these rules)",
).conflicts('openingPlies');

/** `--opening-plies`: random openings. */
export const openingPliesOption = new Option(
  '--opening-plies <n>',
  'careful random plies before the agents play, in place of a book (default without a book: 4)',
).argParser(wholeNumber(MAX_OPENING_PLIES));

/** `--seed` of matches. */
export const matchSeedOption = new Option('--seed <n>', 'seed of openings and random moves')
  .argParser(seedNumber)
  .default(1);

/** `--time-margin`: how late a move may be. */
export const timeMarginOption = new Option(
  '--time-margin <ms>',
  'a move that exceeds the timeMs of its agent by more loses the game',
)
  .argParser(nonNegativeNumber)
  .default(500);

/** `--processes` of matches. */
export const matchProcessesOption = new Option('--processes <n>', 'number of processes that play')
  .argParser(processNumber)
  .default(2);

/** Parses `--sprt`: two numbers of Elo, the first below the second. */
export function eloPair(text: string): readonly [number, number] {
  const bounds = /^(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)$/.exec(text);
  const [elo0, elo1] = [Number(bounds?.[1]), Number(bounds?.[2])];
  if (elo0 < elo1 && elo0 >= -1000 && elo1 <= 1000) return [elo0, elo1];
  throw new InvalidArgumentError('Expected ELO0,ELO1 with -1000 <= ELO0 < ELO1 <= 1000, such as 0,20.');
}

/** Parses the probability of an error, between 0 and 0.5. */
export function errorProbability(text: string): number {
  const probability = Number(text);
  if (/^0?\.\d+$/.test(text) && probability > 0 && probability < 0.5) return probability;
  throw new InvalidArgumentError('Expected a number between 0 and 0.5.');
}

/**
 * The openings that the options name: a book, random plies, or by default the book of the game if it has one.
 *
 * @throws NotationError for the game; TrainingError `openings-missing`, `openings-invalid`.
 */
export async function openingSettings(options: {
  readonly game: string;
  readonly rules: string;
  readonly openings?: string | undefined;
  readonly openingPlies?: number | undefined;
}): Promise<OpeningSettings> {
  if (options.openingPlies !== undefined) return { plies: options.openingPlies };
  if (options.openings === undefined) return defaultOpenings(createGame(options.game, options.rules));
  const book = resolve(inputPath(options.openings));
  return { book, sha256: (await readBook(book)).digest };
}

/** Options of a match on the command line. */
export interface MatchOptions {
  readonly game: string;
  readonly rules: string;
  readonly agent: string;
  readonly opponent: string;
  readonly games: number;
  readonly seed: number;
  readonly openings?: string | undefined;
  readonly openingPlies?: number | undefined;
  readonly timeMargin: number;
  readonly sprt?: readonly [number, number] | undefined;
  readonly sprtScale: SprtSettings['scale'];
  readonly alpha: number;
  readonly beta: number;
}

/**
 * The settings of the match that the options describe.
 *
 * @throws NotationError for the game; TrainingError `openings-missing`, `openings-invalid`.
 */
export async function matchSettings(options: MatchOptions): Promise<MatchSettings> {
  const { game, rules, agent, opponent, games, seed, timeMargin, sprt, sprtScale, alpha, beta } = options;
  const test = sprt && { elo0: sprt[0], elo1: sprt[1], alpha, beta, scale: sprtScale };
  return {
    game: { id: game, rules },
    agent,
    opponent,
    games,
    seed,
    openings: await openingSettings(options),
    timeMarginMs: timeMargin,
    sprt: test ?? null,
  };
}
