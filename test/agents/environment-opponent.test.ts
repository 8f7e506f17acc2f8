import { expect, test } from 'vitest';
import { createOpponent } from '../../agents/environment-opponent.js';
import { createGame } from '../../env/games.js';
import { createRng } from '../../env/random.js';

const connectFour = createGame('connect-four');

test.each(['random', 'careful', 'greedy', 'alphabeta:depth=2'])('%s can be an opponent', (text) => {
  const opponent = createOpponent(text, connectFour);
  const state = connectFour.initialState();
  const action = opponent.choose(state, createRng(1));
  expect(connectFour.isLegal(state, action)).toBe(true);
  expect(connectFour.historyLength(state)).toBe(0);
  expect(opponent.choose(state, createRng(1))).toBe(action);
});

test.each([
  ['mcts:simulations=8', 'agent-unknown'],
  ['policy:model=x.onnx', 'agent-unknown'],
  ['minimax', 'agent-unknown'],
  ['alphabeta', 'agent-option'],
  ['alphabeta:depth=1,weights=guessed', 'agent-game'],
])('%s cannot be an opponent: %s', (text, code) => {
  expect(() => createOpponent(text, connectFour)).toThrow(expect.objectContaining({ code }));
});

test('an opponent needs a game', () => {
  const untyped = createOpponent as (text: string, game?: unknown) => unknown;
  expect(() => untyped('greedy')).toThrow(expect.objectContaining({ code: 'agent-game' }));
});
