import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createReplayAnswerer } from '../../../env/replay/replay-requests.js';

/**
 * Games of some hundred plies, each a request and the plain engine's answer (written by
 * gess-fixtures.test.ts).
 */
const lines = readFileSync(join(import.meta.dirname, '..', '..', 'fixtures', 'gess-games.jsonl'), 'utf8')
  .trim()
  .split('\n');

const games = Array.from({ length: lines.length / 2 }, (_, i) => ({
  request: lines[2 * i]!,
  answer: JSON.parse(lines[2 * i + 1]!) as { readonly legalCounts: readonly number[] },
  rules: (JSON.parse(lines[2 * i]!) as { readonly rules: string }).rules,
}));

test('there are eight games of some hundred plies', () => {
  expect(games).toHaveLength(8);
  for (const { answer } of games) expect(answer.legalCounts.length).toBeGreaterThan(300);
});

test.each(games)('a long game by $rules is replayed as the plain engine played it', ({ request, answer }) => {
  expect(JSON.parse(createReplayAnswerer()(request))).toEqual(answer);
});
