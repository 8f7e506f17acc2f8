import { sha256 } from '../../data/files/sealed-json.js';
import { readInputIfThere } from '../../data/files/input-file.js';
import { NotationError } from '../../env/errors.js';
import type { Action, Game } from '../../env/game.js';
import { createGame } from '../../env/games.js';
import { parseMoves } from '../../env/replay/replay.js';
import { TrainingError } from '../training-error.js';

/** First line of a book. */
const FORMAT = 'gess-zero openings 1';

/** Openings of a game. */
export interface OpeningBook {
  readonly game: string;
  /** Canonical text of the rules. */
  readonly rules: string;
  /** Its provenance, on one line. */
  readonly made: string;
  /** At least one opening; none ends the game. */
  readonly openings: readonly (readonly Action[])[];
  /** SHA-256 of the lines of the openings, in lower-case hexadecimal digits. */
  readonly digest: string;
}

function openingLines(game: Game<unknown>, openings: OpeningBook['openings']): string {
  const lines = openings.map((moves) => moves.map((action) => game.formatAction(action)).join(' '));
  return lines.map((line) => `${line}\n`).join('');
}

/**
 * Formats a book: a header of `name value` lines, an empty line, and a line of moves for each opening.
 *
 * @throws NotationError for an unknown game or rules.
 */
export function formatBook(book: Omit<OpeningBook, 'digest'>): string {
  const game = createGame(book.game, book.rules);
  const lines = openingLines(game, book.openings);
  const header = [
    FORMAT,
    `game ${game.id}`,
    `rules ${game.rules}`,
    `made ${book.made}`,
    `sha256 ${sha256(lines)}`,
  ];
  return `${header.join('\n')}\n\n${lines}`;
}

function readOpening(game: Game<unknown>, line: string): readonly Action[] {
  const state = game.initialState();
  const moves = parseMoves(game, line);
  for (const action of moves) {
    if (game.outcome(state) !== null || !game.isLegal(state, action)) {
      throw new NotationError('action-syntax', `${game.formatAction(action)} is not legal`);
    }
    game.apply(state, action);
  }
  if (game.outcome(state) !== null) throw new NotationError('action-syntax', 'the opening ends the game');
  return moves;
}

/** The header, and the lines of the openings; an opening without moves is an empty line. */
function partsOf(text: string): readonly [header: string, lines: string] {
  const end = text.indexOf('\n\n');
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 2)];
}

/**
 * Parses a book.
 *
 * @param name of the file, for messages.
 * @throws TrainingError `openings-invalid` if it is not a book, is damaged, or has an illegal move.
 */
export function parseBook(text: string, name: string): OpeningBook {
  const invalid = (reason: string, cause?: unknown): TrainingError =>
    new TrainingError('openings-invalid', `expected a book of openings in ${name}: ${reason}`, { cause });
  const [header, lines] = partsOf(text);
  const [format, ...fields] = header.split('\n');
  if (format !== FORMAT) throw invalid(`its first line must be '${FORMAT}'`);
  const values = new Map(fields.map((line) => [line.split(' ', 1)[0]!, line.slice(line.indexOf(' ') + 1)]));
  if (values.size < fields.length) throw invalid('two lines of its header have one name');
  const field = (key: string): string => {
    const value = values.get(key);
    if (value === undefined) throw invalid(`it has no line '${key} …'`);
    return value;
  };
  const digest = field('sha256');
  if (sha256(lines) !== digest) throw invalid('its openings do not match its checksum');
  if (lines === '') throw invalid('it has no openings');
  if (!lines.endsWith('\n')) throw invalid('its last line does not end with a line feed');
  const texts = lines.slice(0, -1).split('\n');
  try {
    const game = createGame(field('game'), field('rules'));
    const openings = texts.map((line) => readOpening(game, line));
    return { game: game.id, rules: game.rules, made: field('made'), openings, digest };
  } catch (error) {
    if (error instanceof NotationError) throw invalid(error.message, error);
    throw error;
  }
}

/**
 * Reads a book.
 *
 * @throws TrainingError `openings-missing`, and as `parseBook`; DataError `file-unreadable`, `file-too-large`.
 */
export async function readBook(path: string): Promise<OpeningBook> {
  const content = await readInputIfThere(path, 'openings');
  if (content === null) {
    throw new TrainingError('openings-missing', `expected a book of openings at ${path}, found no file`);
  }
  return parseBook(content.toString(), path);
}
