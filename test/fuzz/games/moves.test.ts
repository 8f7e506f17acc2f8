import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe } from 'vitest';
import { NotationError } from '../../../env/errors.js';
import { formatFigureCode, parseFigureCode } from '../../../env/gess/diagrams/figure-code.js';
import { createGame } from '../../../env/games.js';
import {
  formatSgfMove,
  formatSgfPoint,
  formatSquare,
  parseMove,
  parseSgfPoint,
  parseSquare,
} from '../../../env/gess/move-notation.js';
import { parseMoves } from '../../../env/replay/replay.js';
import { fuzz } from '../fuzz.js';
import { FUZZED_GAMES, moveLists } from './fuzzed-games.js';
import { hostileTexts, poolOf } from '../hostile-texts.js';
import { checkRoundTrip, readOrRefuse, type RoundTrip } from '../refusal.js';
import { portrait } from './state-laws.js';

const ALPHABET = [
  ...[
    'a1',
    't20',
    'l3',
    'fo',
    'fn',
    'A1',
    'F6',
    'off',
    '-',
    ':',
    'x',
    '–',
    '→',
    '->',
    ' ',
    'a',
    'T',
    '21',
    '0',
    '6',
  ],
  ...['7-5-7', '2-0-0', '8'],
];

describe.each(FUZZED_GAMES)('$id', ({ id, positions }) => {
  const game = createGame(id);
  const texts = fc.constantFrom(
    ...Array.from({ length: game.numActions }, (_, action) => game.formatAction(action)),
  );

  fuzz('the text of a move', {
    input: fc.record({ text: hostileTexts(texts, ALPHABET), position: poolOf(positions) }),
    runs: 1500,
    law: ({ text, position }) => {
      const found = readOrRefuse(() => game.parseAction(text), NotationError, ['action-syntax']);
      if (found === undefined) return false;
      const action = found.value;
      assert.ok(Number.isInteger(action) && action >= 0 && action < game.numActions);
      checkRoundTrip(action, {
        read: (words) => game.parseAction(words),
        write: (value) => game.formatAction(value),
      });
      assert.equal(game.actionOfPolicyIndex(1, game.policyIndex(1, action)), action);
      const state = readOrRefuse(() => game.parsePosition(position), NotationError, ['position-syntax']);
      if (state === undefined) return true;
      const before = portrait(game, state.value);
      if (game.isLegal(state.value, action) || game.canForce?.(state.value, action) === true) {
        game.apply(state.value, action);
        game.undo(state.value);
      }
      assert.deepStrictEqual(portrait(game, state.value), before);
      return true;
    },
  });

  fuzz('a list of moves', {
    input: hostileTexts(moveLists(id), [...ALPHABET, '\n', '3 ']),
    runs: 400,
    law: (text) => {
      const found = readOrRefuse(() => parseMoves(game, text), NotationError, ['action-syntax']);
      if (found === undefined) return false;
      checkRoundTrip(found.value, {
        read: (words) => parseMoves(game, words),
        write: (actions) => actions.map((action) => game.formatAction(action)).join(' '),
      });
      return true;
    },
  });
});

describe('other texts of squares and pieces', () => {
  const formats: readonly (readonly [string, RoundTrip<number>, number])[] = [
    ['a square', { read: parseSquare, write: formatSquare }, 400],
    ['a point of SGF', { read: parseSgfPoint, write: formatSgfPoint }, 400],
    ['a move of SGF', { read: parseMove, write: formatSgfMove }, 0],
    ['a figure', { read: parseFigureCode, write: formatFigureCode }, 512],
  ];
  for (const [name, format, count] of formats) {
    const valid =
      count === 0
        ? moveLists('gess').map((moves) =>
            moves === '' ? 'fo:fn' : formatSgfMove(parseMove(moves.split(' ').at(-1)!)),
          )
        : fc.nat(count - 1).map(format.write);
    fuzz(name, {
      input: hostileTexts(valid, ALPHABET),
      runs: 500,
      law: (text) => {
        const found = readOrRefuse(() => format.read(text), NotationError, [
          'action-syntax',
          'figure-syntax',
        ]);
        if (found === undefined) return false;
        checkRoundTrip(found.value, format);
        return true;
      },
    });
  }
});
