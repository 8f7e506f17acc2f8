import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecordFile } from '../../data/records/record-file.js';
import { mainLine } from '../../data/records/record.js';
import { createGess } from '../../env/gess/gess.js';
import { nameOutcome, positionAfter } from '../../env/replay/replay.js';
import { root } from './markdown.js';

const RESULTS = join(root, 'docs', 'results');
const page = readFileSync(join(RESULTS, 'gess-theory.md'), 'utf8');

/** The rows of the table of games: file, plies and winner. */
const listed = Array.from(
  page.matchAll(/^\|.*\| (\d+) \| (\w+) \| \[.*\]\((gess-games\/.*\.sgf)\) \|$/gm),
).map(([, plies, winner, file]) => ({ file: file!, plies: Number(plies), winner: winner!.toLowerCase() }));

test('the page lists all games of its folder', () => {
  const files = readdirSync(join(RESULTS, 'gess-games')).map((name) => `gess-games/${name}`);
  expect(listed.map(({ file }) => file).sort()).toEqual(files.sort());
  expect(listed).toHaveLength(5);
});

test.each(listed)(
  '$file is a legal game of $plies plies that $winner wins, with a comment on each move',
  async (row) => {
    const record = await readRecordFile(join(RESULTS, row.file), 'sgf');
    const gess = createGess({ rules: record.rules });
    expect(record.moves).toHaveLength(row.plies);
    expect(nameOutcome(gess, positionAfter(gess, mainLine(record)))).toBe(row.winner);
    for (const { comment } of record.moves) expect(comment).toMatch(/^gess analyze: value [+-]\d\.\d{3} to /);
  },
);

test('the moves that the page quotes first in each game are those of the records', async () => {
  for (const { file } of listed) {
    const { moves } = await readRecordFile(join(RESULTS, file), 'sgf');
    const opening = `1\\. ${moves[0]!.move!} ${moves[1]!.move!} 2. ${moves[2]!.move!}`;
    expect(page.replaceAll(/\*\*|\?\?|\?!|\?/g, '')).toContain(opening);
  }
});
