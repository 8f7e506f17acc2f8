import * as z from 'zod';
import { readInputIfThere } from '../../data/files/input-file.js';
import { type JsonForm, parseForm } from '../../data/files/json-file.js';
import { JsonTextError } from '../../env/text/json-text.js';
import { writeFileAtomic } from '../../data/files/atomic-file.js';
import { writeGrowingFile } from '../../data/files/growing-file.js';
import { openSealed, sealJson } from '../../data/files/sealed-json.js';
import type { Action, Game } from '../../env/game.js';
import { createGame } from '../../env/games.js';
import { GameIdentity } from '../games/game-config.js';
import { TrainingError } from '../training-error.js';
import { Balance, BalanceSettings } from './balance.js';
import { type Candidate, drawCandidate } from './candidates.js';
import { formatBook } from './opening-book.js';
import type { OpeningJob } from './opening-job.js';

/** Candidates per process that are judged together, one job each, so that a stop waits for one candidate only. */
const CANDIDATES_A_LANE = 8;
/** Consecutive candidates without a new position after which the game counts as too small. */
const MOST_REPETITIONS = 100_000;

/** Settings for making a book. */
export const BookSettings = z
  .strictObject({
    game: GameIdentity,
    seed: z.int().min(0).default(1),
    minPlies: z.int().min(0).max(100).default(4),
    maxPlies: z.int().min(0).max(100).default(10),
    balance: BalanceSettings.prefault({}),
  })
  .refine(({ minPlies, maxPlies }) => minPlies <= maxPlies, {
    error: 'expected minPlies to be at most maxPlies',
  });
export type BookSettings = z.infer<typeof BookSettings>;

/** A judged candidate, which is a line of the file of judgements. */
const Judgement = z.strictObject({ index: z.int().min(0), ...Balance.shape });
type Judgement = z.infer<typeof Judgement>;

/** The services that making a book uses. */
export interface BookServices {
  /** Judges the openings of the jobs. */
  readonly judge: (jobs: readonly OpeningJob[]) => Promise<readonly (readonly Balance[])[]>;
  /** Number of jobs that run at once. */
  readonly lanes: number;
  /** Called with the numbers of judged candidates and of openings found so far. */
  readonly onProgress?: (judged: number, found: number) => void;
  /** Stops after the jobs in progress. */
  readonly signal: AbortSignal;
}

/** Draws the candidates in order, and skips those whose position has occurred before. */
class CandidateStream<State> {
  private readonly game: Game<State>;
  private readonly settings: BookSettings;
  private readonly keys = new Set<string>();
  private next = 0;

  constructor(game: Game<State>, settings: BookSettings) {
    this.game = game;
    this.settings = settings;
  }

  /** @throws TrainingError `openings-few`. */
  take(): Candidate & { readonly index: number } {
    for (let tries = 0; tries < MOST_REPETITIONS; tries++) {
      const index = this.next++;
      const candidate = drawCandidate(this.game, this.settings, index);
      if (candidate === null || this.keys.has(candidate.key)) continue;
      this.keys.add(candidate.key);
      return { ...candidate, index };
    }
    const { id } = this.game;
    throw new TrainingError('openings-few', `${id} has too few openings of these lengths for the book`);
  }
}

const JUDGEMENT_FORM: JsonForm<Judgement> = {
  schema: Judgement,
  name: 'the judgement of an opening',
  seal: null,
  error: (message, cause) => new TrainingError('openings-invalid', message, { cause }),
};

/** Whether a sealed line contains these settings. */
function isHeaderOf(settings: BookSettings, line: string): boolean {
  try {
    const { value, seal } = openSealed(line, 'line');
    return seal === 'sound' && JSON.stringify(value) === JSON.stringify(settings);
  } catch (error) {
    if (error instanceof JsonTextError) return false;
    throw error;
  }
}

/** Path of the file of judgements beside a book. */
export function judgementsPath(book: string): string {
  return `${book}.judged.jsonl`;
}

/** Judgements of earlier calls with the same settings, in order; null if the file was made with other settings. */
async function readJudgements(path: string, settings: BookSettings): Promise<Judgement[] | null> {
  const content = await readInputIfThere(path, 'openings');
  if (content === null) return [];
  const [header = '', ...lines] = content.toString().split('\n').slice(0, -1);
  if (!isHeaderOf(settings, `${header}\n`)) return null;
  return lines.map((line, index) => parseForm(line, JUDGEMENT_FORM, { path, line: index + 2 }));
}

async function writeJudgements(
  path: string,
  settings: BookSettings,
  judgements: readonly Judgement[],
): Promise<void> {
  const lines = judgements.map((judgement) => `${JSON.stringify(judgement)}\n`);
  await writeGrowingFile(path, Buffer.from(sealJson(settings, 'line') + lines.join('')));
}

/**
 * The openings whose judgements say that they are balanced.
 *
 * @throws TrainingError `openings-invalid` if a judgement is not of the next opening, because a line was removed or
 *   moved; `openings-few`.
 */
function balancedOpenings(
  path: string,
  judgements: readonly Judgement[],
  stream: CandidateStream<unknown>,
): (readonly Action[])[] {
  const openings: (readonly Action[])[] = [];
  for (const [position, { index: found, isBalanced }] of judgements.entries()) {
    const { index, moves } = stream.take();
    if (found !== index) {
      // The first line holds the settings.
      const place = `on line ${position + 2} of ${path}`;
      const advice = 'restore the file, or remove it to begin again';
      throw new TrainingError(
        'openings-invalid',
        `expected the judgement of opening ${index} ${place}, found that of opening ${found}: ${advice}`,
      );
    }
    if (isBalanced) openings.push(moves);
  }
  return openings;
}

/**
 * Makes a book of balanced openings. Judgements are kept in a file beside it, so that a later call with the same
 * settings resumes, or adds openings to the book; the first openings stay the same.
 *
 * @param path of the book; the judgements are in `PATH.judged.jsonl`.
 * @param count number of openings.
 * @returns the number of openings found; less than `count` only if stopped, in which case no book is written.
 * @throws TrainingError `openings-few`; `openings-invalid` if the judgements were made with other settings, or one is
 *   damaged, missing or out of order; AgentError for the judging agents; DataError for the files.
 */
export async function makeBook(
  path: string,
  count: number,
  settings: BookSettings,
  services: BookServices,
): Promise<number> {
  const game = createGame(settings.game.id, settings.game.rules);
  const judgedPath = judgementsPath(path);
  const judgements = await readJudgements(judgedPath, settings);
  if (judgements === null) {
    throw new TrainingError(
      'openings-invalid',
      `${judgedPath} was made with other settings: remove it to begin again`,
    );
  }
  const stream = new CandidateStream(game, settings);
  const openings = balancedOpenings(judgedPath, judgements, stream);
  while (openings.length < count && !services.signal.aborted) {
    const batch = Array.from({ length: services.lanes * CANDIDATES_A_LANE }, () => stream.take());
    for (const judgement of await judgeBatch(batch, settings, services)) {
      judgements.push(judgement);
      const { moves } = batch.find(({ index }) => index === judgement.index)!;
      if (judgement.isBalanced) openings.push(moves);
    }
    await writeJudgements(judgedPath, settings, judgements);
    services.onProgress?.(judgements.length, openings.length);
  }
  if (openings.length < count) return openings.length;
  await writeFileAtomic(path, textOf(game, settings, openings.slice(0, count)));
  return count;
}

/** The judgements of the batch, in order, without those of jobs that a signal prevented. */
async function judgeBatch(
  batch: readonly (Candidate & { readonly index: number })[],
  { game, balance }: BookSettings,
  { judge }: BookServices,
): Promise<readonly Judgement[]> {
  const jobs = batch.map(({ moves }): OpeningJob => ({ game, balance, openings: [moves] }));
  const balances = (await judge(jobs)).flat();
  return balances.map((found, position) => ({ index: batch[position]!.index, ...found }));
}

function textOf(
  game: Game<unknown>,
  { seed, minPlies, maxPlies, balance }: BookSettings,
  openings: readonly (readonly Action[])[],
): string {
  const { judge, maxValue, players } = balance;
  const made =
    `from ${minPlies} to ${maxPlies} careful random plies of seed ${seed}, |value| up to ${maxValue} by ${judge}, ` +
    `not all won by one side by ${players.join(', ')}`;
  return formatBook({ game: game.id, rules: game.rules, made, openings });
}
