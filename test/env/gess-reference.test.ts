import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createGess } from '../../env/gess/gess.js';
import { parseRules } from '../../env/gess/rules.js';
import { listActions, picks, playThrough } from './game-laws.js';
import { boardText, type Stone } from './gess-boards.js';
import { readReference, referenceMoves, referenceOutcome, writeReference } from './gess-reference.js';

const RULES = [
  'eureka',
  'wikipedia',
  'wikipedia,edge=strict',
  'gach',
  'sgf',
  'osu',
  'eureka,suicide=illegal',
  'eureka,startOffBoard=no',
  'gach,endOffBoard=no',
];

/** The moves that are played in both engines, of all that are compared. */
const PLAYED_SHARE = 17;

function compare(text: string, rules: string): void {
  const game = createGess({ rules });
  const state = game.parsePosition(text);
  const reference = readReference(text);
  expect(writeReference(reference)).toBe(game.formatPosition(state));
  expect(game.outcome(state)).toBe(referenceOutcome(reference));
  const moves = referenceMoves(reference, parseRules(rules));
  const actions = [...moves.keys()].map((move) => game.parseAction(move)).sort((a, b) => a - b);
  expect([...listActions(game, state)]).toEqual(actions);
  expect(game.countLegalActions(state)).toBe(actions.length);
  for (const action of actions.filter((_, i) => i % PLAYED_SHARE === 0)) {
    const after = moves.get(game.formatAction(action))!();
    game.apply(state, action);
    expect(game.formatPosition(state)).toBe(writeReference(after));
    expect(game.outcome(state)).toBe(referenceOutcome(after));
    game.undo(state);
  }
}

function ringAt(color: 'b' | 'w', square: number): Stone[] {
  return [-21, -20, -19, -1, 1, 19, 20, 21].map((step) => ({ color, square: square + step }));
}

/** Squares that a ring can be centred on, whatever is near. */
const ringSquare = fc
  .tuple(fc.integer({ min: 2, max: 17 }), fc.integer({ min: 2, max: 17 }))
  .map(([row, column]) => row * 20 + column);

const stone = fc.record({
  color: fc.constantFrom('b' as const, 'w' as const),
  square: fc
    .tuple(fc.integer({ min: 1, max: 18 }), fc.integer({ min: 1, max: 18 }))
    .map(([row, column]) => row * 20 + column),
});

/** Boards with a ring of each side, unless one overlaps the other, and few or many stones around them. */
const board = fc
  .record({
    black: ringSquare,
    white: ringSquare,
    others: fc.array(stone, { maxLength: 60, size: 'max' }),
    player: fc.constantFrom('b', 'w'),
  })
  .map(({ black, white, others, player }) => {
    const stones = others.filter(({ square }) => square !== black && square !== white);
    return `${boardText([...stones, ...ringAt('b', black), ...ringAt('w', white)])} ${player} 20`;
  });

describe.each(RULES)('the bitboards and the plain engine agree by %s', (rules) => {
  test('on boards of any kind', () => {
    fc.assert(
      fc.property(board, (text) => {
        compare(text, rules);
      }),
      { numRuns: 40 },
    );
  });

  test('in games', () => {
    const game = createGess({ rules });
    fc.assert(
      fc.property(picks, (numbers) => {
        compare(game.formatPosition(playThrough(game, numbers, () => undefined)), rules);
      }),
      { numRuns: 15 },
    );
  });
});
