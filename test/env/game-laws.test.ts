import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { connectFour } from '../../env/connect-four/connect-four.js';
import { createGess } from '../../env/gess/gess.js';
import { createQuess } from '../../env/quess/quess.js';
import { checkSymmetries, GAME_LAWS, type GameCase, picks } from './game-laws.js';
import { rearrange } from './gess-boards.js';

function gessCase(rules: string): GameCase<unknown> {
  const game = createGess({ rules });
  return {
    game,
    seenSquare: (player, square) =>
      player === 0 ? square : (19 - Math.floor(square / 20)) * 20 + (square % 20),
    reflectedStart: (to) => game.parsePosition(rearrange(game.formatPosition(game.initialState()), to)),
  };
}

function quessCase(rules: string): GameCase<unknown> {
  const game = createQuess({ rules });
  return {
    game,
    seenSquare: (player, square) => (player === 0 ? square : 35 - square),
    // The only symmetry besides the identity leaves the starting position as it is.
    reflectedStart: () => game.initialState(),
    textForgetsBoards: true,
  };
}

const CASES: readonly (readonly [string, GameCase<unknown>, number])[] = [
  [
    'connect-four',
    {
      game: connectFour,
      seenSquare: (_player, square) => square,
      reflectedStart: () => connectFour.initialState(),
    },
    100,
  ],
  ['gess', gessCase('eureka'), 12],
  ['gess, edge=strict', gessCase('wikipedia,edge=strict'), 4],
  ['gess, osu', gessCase('osu'), 4],
  ['quess', quessCase('standard'), 40],
  ['quess, clock', quessCase('standard,clock=180'), 10],
];

describe.each(CASES)('%s', (_name, gameCase, numRuns) => {
  test.each(Object.entries(GAME_LAWS))('%s', (_law, law) => {
    fc.assert(
      fc.property(picks, (numbers) => {
        law(gameCase, numbers);
      }),
      { numRuns },
    );
  });

  test('symmetries are permutations, the identity first', () => {
    expect.hasAssertions();
    checkSymmetries(gameCase);
  });
});
