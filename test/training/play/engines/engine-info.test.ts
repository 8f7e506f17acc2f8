import { expect, test } from 'vitest';
import { createGame } from '../../../../env/games.js';
import { InfoLines } from '../../../../training/play/engines/engine-info.js';

const connectFour = createGame('connect-four');

/** The moves and values of the candidates in lines about the start of Connect Four. */
function candidatesOf(lines: readonly string[]): unknown {
  const info = new InfoLines(connectFour, connectFour.initialState());
  for (const line of lines) info.add(line);
  return info.read().candidates.map(({ action, value }) => [action, value]);
}

test('the newest line of each number counts, without moves that an earlier line has', () => {
  const finished = [
    'info depth 4 multipv 1 score value 0.3 pv 3',
    'info depth 4 multipv 2 score value 0.2 pv 2',
    'info depth 4 multipv 3 score value 0.1 pv 1',
  ];
  expect(candidatesOf(finished)).toEqual([
    [3, 0.3],
    [2, 0.2],
    [1, 0.1],
  ]);
  expect(candidatesOf([...finished, 'info depth 5 multipv 1 score value 0.4 pv 2'])).toEqual([
    [2, 0.4],
    [1, 0.1],
  ]);
});

test('numbers that are not whole are ignored', () => {
  const lines = Array.from({ length: 100 }, (_, index) => `info multipv 1.${index + 1} pv ${index % 7}`);
  expect(candidatesOf(lines)).toEqual([]);
});
