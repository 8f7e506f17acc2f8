import { expect, test } from 'vitest';
import { createGame } from '../../../env/games.js';
import { learntSymmetries } from '../../../training/learning/drawn-symmetries.js';

test.each([
  ['gess', ['identity', 'mirror-files']],
  ['quess', ['identity', 'transpose']],
  ['connect-four', ['identity', 'mirror']],
])('of %s, those that leave the sides are %j', (id, expected) => {
  const names = learntSymmetries(createGame(id), 'sides').map(({ name }) => name);
  expect(names).toEqual(expected);
});

test('true stands for all of them, false for the identity', () => {
  const game = createGame('gess');
  expect(learntSymmetries(game, true)).toBe(game.symmetries);
  expect(learntSymmetries(game, false)).toEqual([game.symmetries[0]]);
});
