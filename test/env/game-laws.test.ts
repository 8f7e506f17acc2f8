import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { connectFour } from '../../env/connect-four/connect-four.js';
import { checkGame } from '../../env/environments/conformance/conformance.js';
import type { GameCheckOptions } from '../../env/environments/conformance/game-conformance.js';
import { type Game, gameWithPlanes } from '../../env/game.js';
import { createGess } from '../../env/gess/gess.js';
import { createQuess } from '../../env/quess/quess.js';
import { picks } from './game-picks.js';
import { rearrange } from './gess/gess-boards.js';

/** The square of the board that a player numbers as `square`; its own inverse. */
function seenSquare(player: 0 | 1, square: number): number {
  return player === 0 ? square : (19 - Math.floor(square / 20)) * 20 + (square % 20);
}

type Case = readonly [
  rules: string,
  game: Game<unknown>,
  options: GameCheckOptions<unknown>,
  numRuns: number,
];

function gessCase(rules: string, numRuns: number, movePlanes = false): Case {
  const gess = createGess({ rules }) as Game<unknown>;
  const game = gameWithPlanes(gess, movePlanes)!;
  const mirroredStart: GameCheckOptions<unknown>['mirroredStart'] = ({ squares }, viewer) => {
    const to = (square: number): number => seenSquare(viewer, squares[seenSquare(viewer, square)]!);
    return game.parsePosition(rearrange(game.formatPosition(game.initialState()), to));
  };
  const forgets = rules.includes('ko=');
  const options = { mirroredStart, textForgetsBoards: forgets, packingForgetsBoards: forgets };
  return [`gess, ${rules}${movePlanes ? ', planes of moves' : ''}`, game, options, numRuns];
}

function quessCase(rules: string, numRuns: number): Case {
  const game = createQuess({ rules }) as Game<unknown>;
  return [`quess, ${rules}`, game, { textForgetsBoards: true }, numRuns];
}

const CASES: readonly Case[] = [
  ['connect-four', connectFour, {}, 60],
  gessCase('eureka', 8),
  gessCase('gach', 4, true),
  gessCase('wikipedia,edge=strict', 3),
  gessCase('osu', 3),
  gessCase('gach,ko=superko', 2),
  quessCase('standard', 25),
  quessCase('standard,clock=180', 8),
];

describe.each(CASES)('%s', (_rules, game, options, numRuns) => {
  test('conforms in any game', () => {
    fc.assert(
      fc.property(picks, (numbers) => {
        const report = checkGame(game, { ...options, games: [numbers] });
        expect(report).toEqual({ findings: [], skipped: [], stepsPerSecond: null });
      }),
      { numRuns },
    );
  });
});
