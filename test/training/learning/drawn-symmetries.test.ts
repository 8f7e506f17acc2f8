import { expect, test } from 'vitest';
import { createGame } from '../../../env/games.js';
import { learntSymmetries } from '../../../training/learning/drawn-symmetries.js';

test.each([
  ['gess', ['identity', 'mirror-files']],
  ['quess', ['identity', 'transpose']],
  ['connect-four', ['identity', 'mirror']],
])('in %s, the symmetries that keep the sides are %j', (id, expected) => {
  const names = learntSymmetries(createGame(id), 'sides').map(({ name }) => name);
  expect(names).toEqual(expected);
});

test('true selects all symmetries, false the identity', () => {
  const game = createGame('gess');
  expect(learntSymmetries(game, true)).toBe(game.symmetries);
  expect(learntSymmetries(game, false)).toEqual([game.symmetries[0]]);
});
