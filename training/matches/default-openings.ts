import { basename } from 'node:path';
import type { Game } from '../../env/game.js';
import { readBook } from '../openings/opening-book.js';
import { shippedBook } from '../openings/shipped-books.js';
import type { OpeningSettings } from './match-settings.js';

/** Plies of random openings where a game has no book. */
const DEFAULT_PLIES = 4;

/**
 * The default openings of a match: the shipped book for the game and its rules, or four careful random plies if there
 * is none.
 *
 * @throws TrainingError `openings-invalid`.
 */
export async function defaultOpenings(game: Pick<Game<unknown>, 'id' | 'rules'>): Promise<OpeningSettings> {
  const book = await shippedBook(game);
  return book === null ? { plies: DEFAULT_PLIES } : { book, sha256: (await readBook(book)).digest };
}

/** The openings as results list them: a book by its name and digest, without its folder. */
export function nameOpenings(openings: OpeningSettings): OpeningSettings {
  return 'book' in openings ? { ...openings, book: basename(openings.book) } : openings;
}
