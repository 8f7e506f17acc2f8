import { expect, test } from 'vitest';
import { connectFour } from '../../../env/connect-four/connect-four.js';
import { createGame, GAME_IDS } from '../../../env/games.js';
import { positionAfter } from '../../../env/replay/replay.js';

const EMPTY = '.......';

test.each([
  ['across', '0 0 1 1 2 2 3', 1],
  ['up, by the second player', '0 1 0 1 0 1 2 1', -1],
  ['up to the right', '0 1 1 2 2 3 2 3 3 6 3', 1],
  ['up to the left', '6 5 5 4 4 3 4 3 3 0 3', 1],
  ['not yet', '0 0 1 1 2 2', null],
])('four in a row %s', (_what, moves, outcome) => {
  const state = positionAfter(connectFour, { moves });
  expect(connectFour.outcome(state)).toBe(outcome);
  expect(connectFour.outcome(connectFour.parsePosition(connectFour.formatPosition(state)))).toBe(outcome);
});

test('three at the right edge and one at the left, a row higher, are not four', () => {
  expect(connectFour.outcome(positionAfter(connectFour, { moves: '4 0 5 0 6 1 1 1' }))).toBeNull();
});

test('a full board without four is a draw', () => {
  const state = connectFour.parsePosition('ryryryr/ryryryr/yryryry/yryryry/ryryryr/yryryry');
  expect(connectFour.ply(state)).toBe(42);
  expect(connectFour.outcome(state)).toBe(0);
});

test('planes are own stones, the opponent’s, and ones', () => {
  const out = new Float32Array(6 * 7 * 3);
  connectFour.observe(positionAfter(connectFour, { moves: '3 3 0' }), out, 0);
  const cells = (plane: number): number[] =>
    [...Array(42).keys()].filter((cell) => out[cell * 3 + plane] === 1);
  expect([cells(0), cells(1), cells(2).length]).toEqual([[10], [0, 3], 42]);
});

test.each([
  ['', 'position-syntax'],
  [[EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, '...x...'].join('/'), 'position-syntax'],
  [[EMPTY, EMPTY, EMPTY, EMPTY, '...r...', EMPTY].join('/'), 'position-syntax'],
  [[EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, '...y...'].join('/'), 'position-turn'],
  [[EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, 'r.r....'].join('/'), 'position-turn'],
  [[EMPTY, EMPTY, EMPTY, EMPTY, 'rrrr...', 'yyyr...'].join('/'), 'position-turn'],
  [[EMPTY, EMPTY, EMPTY, EMPTY, 'yyy....', 'rrrr...'].join('/').replace('yyy.', 'yyyy'), 'position-turn'],
])('the position %j is refused', (text, code) => {
  expect(() => connectFour.parsePosition(text)).toThrow(expect.objectContaining({ code }));
});

test.each(['7', '-1', 'a', '', '33'])('the move %j is refused', (text) => {
  expect(() => connectFour.parseAction(text)).toThrow(expect.objectContaining({ code: 'action-syntax' }));
});

test.each([
  ['that are not columns', new Uint8Array(7)],
  ['that are too few', new Uint8Array(6).fill(1)],
])('bytes %s are refused', (_what, bytes) => {
  expect(() => {
    connectFour.unpack(bytes, 0, connectFour.initialState());
  }).toThrow(expect.objectContaining({ code: 'position-size' }));
});

test('games are made by id and rules', () => {
  expect(GAME_IDS).toEqual(['gess', 'quess', 'connect-four']);
  expect(createGame('connect-four', 'standard').id).toBe('connect-four');
  expect(createGame('gess').rules).toBe('eureka');
  expect(createGame('gess', 'sgf').rules).toBe('sgf');
  expect(() => createGame('connect-four', 'popout')).toThrow(
    expect.objectContaining({ code: 'rules-unknown' }),
  );
  expect(() => createGame('toString')).toThrow(expect.objectContaining({ code: 'game-unknown' }));
});
