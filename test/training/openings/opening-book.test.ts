import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../data/files/sealed-json.js';
import { createGame } from '../../../env/games.js';
import {
  BookSettings,
  judgementsPath,
  makeBook,
  type BookServices,
} from '../../../training/openings/book-making.js';
import { formatBook, parseBook, readBook } from '../../../training/openings/opening-book.js';
import { judgeOpenings } from '../../../training/openings/opening-job.js';
import { positionKey } from '../../../training/openings/position-key.js';
import { shippedBook } from '../../../training/openings/shipped-books.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { runGess } from '../../scripts/captured-output.js';

const SETTINGS = BookSettings.parse({
  game: { id: 'connect-four' },
  minPlies: 2,
  maxPlies: 4,
  balance: { judge: 'alphabeta:depth=2', maxValue: 0.5, players: ['alphabeta:depth=1', 'alphabeta:depth=2'] },
});

/** Judges in this process, and stops after some calls. */
function services(calls: number): BookServices {
  const stop = new AbortController();
  let left = calls;
  return {
    judge: (jobs) => {
      if (--left === 0) stop.abort();
      return Promise.all(jobs.map((job) => judgeOpenings(job)));
    },
    lanes: 1,
    signal: stop.signal,
  };
}

test('a book that was stopped and lengthened equals one made in a single call', async () => {
  const folder = temporaryFolder();
  const [whole, parts] = [join(folder, 'whole.txt'), join(folder, 'parts.txt')];
  await makeBook(whole, 8, SETTINGS, services(Infinity));
  expect(await makeBook(parts, 8, SETTINGS, services(1))).toBeLessThan(8);
  await makeBook(parts, 5, SETTINGS, services(Infinity));
  expect((await readBook(parts)).openings).toHaveLength(5);
  await makeBook(parts, 8, SETTINGS, services(Infinity));
  expect(await readFile(parts, 'utf8')).toBe(await readFile(whole, 'utf8'));
  const other = { ...SETTINGS, seed: 2 };
  await expect(makeBook(parts, 8, other, services(1))).rejects.toMatchObject({ code: 'openings-invalid' });
});

test.each([
  // Without a line in the middle, the later openings would get the judgements of others.
  ['missing', (lines: readonly string[]) => lines.toSpliced(3, 1), 4],
  ['repeated', (lines: readonly string[]) => lines.toSpliced(3, 0, lines[2]!), 4],
  ['out of order', (lines: readonly string[]) => [...lines.slice(0, 2), ...lines.slice(2, 4).reverse()], 3],
])('a book is not made from judgements with a line %s', async (_, alter, line) => {
  const path = join(temporaryFolder(), 'book.txt');
  await makeBook(path, 3, SETTINGS, services(Infinity));
  const book = await readFile(path, 'utf8');
  const judged = judgementsPath(path);
  const lines = (await readFile(judged, 'utf8')).split('\n').slice(0, -1);
  await writeFile(judged, `${alter(lines).join('\n')}\n`);
  const message = expect.stringContaining(`on line ${line} of ${judged}`) as string;
  const error = { code: 'openings-invalid', message };
  await expect(makeBook(path, 4, SETTINGS, services(Infinity))).rejects.toMatchObject(error);
  expect(await readFile(path, 'utf8')).toBe(book);
});

test('a game with few openings is refused', async () => {
  const settings = { ...SETTINGS, minPlies: 1, maxPlies: 1 };
  const path = join(temporaryFolder(), 'book.txt');
  await expect(makeBook(path, 20, settings, services(Infinity))).rejects.toMatchObject({
    code: 'openings-few',
  });
});

describe('a book as text', () => {
  const book = { game: 'connect-four', rules: 'default', made: 'by hand', openings: [[3, 3], [0]] };
  const { rules } = createGame('connect-four');
  const text = formatBook({ ...book, rules });

  test('is read back unchanged', () => {
    const { digest, ...read } = parseBook(text, 'book.txt');
    expect(read).toEqual({ ...book, rules });
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    ['another first line', text.replace('openings 1', 'openings 2')],
    ['an altered opening', text.replace(/\n$/, ' 1\n')],
    ['no header line', text.replace(/^made.*\n/m, '')],
    ['two header lines of one name', text.replace(/^rules.*\n/m, '$&$&')],
    ['nothing', ''],
  ])('with %s is refused', (_, altered) => {
    expect(() => parseBook(altered, 'book.txt')).toThrow(
      expect.objectContaining({ code: 'openings-invalid' }) as Error,
    );
  });

  test('counts every line after its header, empty ones too, and refuses an incomplete last line', () => {
    const book = { game: 'connect-four', rules: 'standard', made: 'by hand', openings: [[3], [], [0, 1]] };
    const text = formatBook(book);
    expect(parseBook(text, 'a file')).toMatchObject(book);
    for (const wrong of [text.slice(0, -1), `${text}\n`, `${text}\n0 1\n`]) {
      const lines = wrong.slice(wrong.indexOf('\n\n') + 2);
      const sealed = wrong.replace(/^sha256 .*$/m, `sha256 ${sha256(lines)}`);
      // Blank lines are openings without moves.
      if (sealed.endsWith('\n')) expect(parseBook(sealed, 'a file').openings.length).toBeGreaterThan(3);
      else expect(() => parseBook(sealed, 'a file')).toThrow('its last line does not end with a line feed');
    }
  });

  test('without a file is reported as missing', async () => {
    await expect(readBook(join(temporaryFolder(), 'none'))).rejects.toMatchObject({
      code: 'openings-missing',
    });
  });
});

test('a position has one key, whatever the order of moves, and also mirrored', () => {
  const keyAfter = (id: string, moves: readonly string[]): string => {
    const game = createGame(id);
    const state = game.initialState();
    for (const move of moves) game.apply(state, game.parseAction(move));
    return positionKey(game, state);
  };
  expect(keyAfter('connect-four', ['0', '3', '1'])).toBe(keyAfter('connect-four', ['5', '3', '6']));
  expect(keyAfter('connect-four', ['0', '3'])).not.toBe(keyAfter('connect-four', ['3', '0']));
  expect(keyAfter('gess', ['f6-f7'])).not.toBe(keyAfter('gess', ['f6-f8']));
  const one = ['c6-c7', 'f15-f14', 'o6-o7', 'c15-c14', 'f6-f7'];
  expect(keyAfter('gess', one)).toBe(keyAfter('gess', [one[4]!, one[3]!, one[2]!, one[1]!, one[0]!]));
});

test.each([
  ['gess', 'eureka', 500],
  ['gess', 'gach', 128],
  ['quess', 'standard', 200],
])('the book of %s %s has distinct openings', async (id, rules, least) => {
  const game = createGame(id, rules);
  const { openings } = await readBook((await shippedBook(game))!);
  expect(openings.length).toBeGreaterThanOrEqual(least);
  const keys = openings.map((moves) => {
    const state = game.initialState();
    for (const action of moves) game.apply(state, action);
    return positionKey(game, state);
  });
  expect(new Set(keys).size).toBe(openings.length);
});

test('an agent without values is no judge', async () => {
  const out = join(temporaryFolder(), 'book.txt');
  await expect(runGess('openings', 'make', '--judge', 'random', '--out', out)).rejects.toMatchObject({
    code: 'agent-option',
    message: "expected an agent that values positions as judge, alphabeta or solver, got 'random'",
  });
});

test('the command makes a book', async () => {
  const out = join(temporaryFolder(), 'book.txt');
  const words = [
    '--game',
    'connect-four',
    '--judge',
    'alphabeta:depth=1',
    '--max-value',
    '1',
    '--min-plies',
    '24',
    '--max-plies',
    '30',
    '--processes',
    '1',
  ];
  const make = (...more: string[]) =>
    runGess('openings', 'make', ...words, '--count', '3', '--out', out, ...more);
  await writeFile(out, 'x');
  await expect(
    runGess(
      'evaluate',
      '--game',
      'connect-four',
      '--agent',
      'random',
      '--opponent',
      'random',
      '--openings',
      out,
    ),
  ).rejects.toMatchObject({ code: 'openings-invalid' });
  // A book with judgements beside it is continued; any other file is kept.
  await expect(make()).rejects.toMatchObject({ code: 'file-exists' });
  const { results } = await make('--overwrite');
  const { digest, openings } = await readBook(out);
  expect(openings).toHaveLength(3);
  expect(results).toEqual([`3 openings in ${out}, sha256 ${digest}`]);
  expect((await make()).results).toEqual(results);
});
