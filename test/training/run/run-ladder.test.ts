import { expect, test } from 'vitest';
import { ladderOfRun } from '../../../training/run/measures/run-ladder.js';
import { MOST_PLAYERS } from '../../../training/statistics/ratings.js';
import { evaluationRecord } from './record-fixtures.js';

test('of a run with very many matches, the newest generations and their opponents are rated', () => {
  const count = 3 * MOST_PLAYERS;
  const records = Array.from({ length: count }, (_, index) => [
    evaluationRecord(index + 1, 'random'),
    evaluationRecord(index + 1, `generation-${index}`),
  ]).flat();
  const { standings, anchor } = ladderOfRun(records)!;
  const rated = standings.players.map(({ generation }) => generation ?? -1);
  expect(anchor).toBe('random');
  expect(rated).toHaveLength(MOST_PLAYERS);
  expect(Math.max(...rated)).toBe(count);
  expect(Math.min(...rated.filter((generation) => generation >= 0))).toBe(count - MOST_PLAYERS + 2);
});
