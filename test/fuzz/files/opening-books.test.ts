import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { sha256 } from '../../../data/files/sealed-json.js';
import { createGame } from '../../../env/games.js';
import { formatBook, parseBook } from '../../../training/openings/opening-book.js';
import { TrainingError } from '../../../training/training-error.js';
import { fuzz } from '../fuzz.js';
import { hostileTexts } from '../hostile-texts.js';
import { checkRoundTrip, readOrRefuse } from '../refusal.js';

const FOLDER = join(import.meta.dirname, '../../../configs/openings');

/** The header of a shipped book and some of its openings. */
function shortened(name: string): string {
  const [header, lines] = readFileSync(join(FOLDER, name), 'utf8').split('\n\n');
  return `${header!}\n\n${lines!.split('\n').slice(0, 4).join('\n')}\n`;
}

const { rules } = createGame('connect-four');
const BOOKS = [
  ...['gess-eureka.txt', 'gess-gach.txt', 'quess-standard.txt'].map(shortened),
  formatBook({ game: 'connect-four', rules, made: 'by hand', openings: [[3, 3], [0], [1, 2, 3, 4, 5, 6]] }),
];
const WORDS = [
  ...['\n', '\n\n', '\r\n', ' ', 'gess-zero openings 1', 'gess-zero openings 2', 'made x', 'sha256 '],
  ...['game gess', 'game quess', 'game connect-four', 'rules standard', 'rules eureka,ko=superko'],
  ...['3', '3 3 3 3 3 3 3', 'F2-D3', 'f6-f7', 'e4-e5 f17-f16'],
];

/** The book with a new checksum of its openings. */
function resealed(text: string): string {
  const end = text.indexOf('\n\n');
  const lines = end < 0 ? '' : text.slice(end + 2);
  return text.replace(/^sha256 .*$/m, () => `sha256 ${sha256(lines)}`);
}

fuzz('a book of openings, with a new checksum', {
  input: fc.record({
    text: hostileTexts(fc.constantFrom(...BOOKS), WORDS),
    seal: fc.constantFrom(true, true, true, false),
  }),
  runs: 200,
  law: ({ text, seal }) => {
    const read = (words: string) => parseBook(words, 'a file');
    const found = readOrRefuse(() => read(seal ? resealed(text) : text), TrainingError, ['openings-invalid']);
    if (found === undefined) return false;
    checkRoundTrip(found.value, {
      read,
      write: formatBook,
      portrait: ({ game, rules: text, made, openings }) => ({ game, text, made, openings }),
    });
    assert.ok(found.value.openings.length > 0);
    return true;
  },
});
