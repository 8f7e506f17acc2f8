import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NotationError } from '../../../env/errors.js';
import { endsOnSquare, NUM_ACTIONS } from '../../../env/gess/gess-board.js';
import {
  figureCode,
  figureName,
  formatFigureCode,
  parseFigureCode,
} from '../../../env/gess/diagrams/figure-code.js';
import { createGess } from '../../../env/gess/gess.js';
import {
  formatMove,
  formatSgfMove,
  formatSgfPoint,
  formatSquare,
  parseMove,
  parseSgfPoint,
  parseSquare,
} from '../../../env/gess/move-notation.js';
import { formatPosition, parsePosition } from '../../../env/gess/position-notation.js';
import { positionAfter } from '../../../env/replay/replay.js';
import { picks, playPicks } from '../game-picks.js';
import { boardText } from './gess-boards.js';

const gess = createGess();
const actions = fc.nat(NUM_ACTIONS - 1).filter(endsOnSquare);
const squares = fc.nat(399);

/** The result of `read`, or undefined if it throws a coded error; other errors are rethrown. */
function readable<T>(read: (text: string) => T, text: string): T | undefined {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof NotationError) return undefined;
    throw error;
  }
}

/** A text with some characters inserted, deleted or replaced. */
function mutated(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const edits = fc.array(fc.tuple(fc.nat(400), fc.nat(3), fc.string({ unit: 'binary', maxLength: 3 })), {
    maxLength: 4,
  });
  return fc.tuple(texts, edits).map(([text, list]) =>
    list.reduce((before, [at, length, added]) => {
      const place = at % (before.length + 1);
      return before.slice(0, place) + added + before.slice(place + length);
    }, text),
  );
}

describe('moves', () => {
  test('round-trip through their text and SGF', () => {
    fc.assert(
      fc.property(actions, (action) => {
        expect(parseMove(formatMove(action))).toBe(action);
        expect(parseMove(formatSgfMove(action))).toBe(action);
      }),
    );
  });

  test.each([
    'F6-F7',
    'f6xf7',
    'F6Xf7',
    'f6:f7',
    'f6\u00d7f7',
    'f6\u2013f7',
    'f6\u2014f7',
    'f6\u2212f7',
    'f6->f7',
    'f6\u2192f7',
    ' f6 - f7\n',
    'fo:fn',
  ])('%j is f6-f7', (text) => {
    expect(formatMove(parseMove(text))).toBe('f6-f7');
  });

  test.each([
    'FO:FN',
    'fo-fn',
    'fofn',
    'f6f7',
    'f6--f7',
    'f6 f7',
    'fo:f7',
    'f06-f7',
    'fu:fn',
    'fo:fo',
    'f6>f7',
  ])('%j is refused', (text) => {
    expect(() => parseMove(text)).toThrow(expect.objectContaining({ code: 'action-syntax' }));
  });

  test('SGF counts rows from the top', () => {
    expect(['a20', 't20', 'a1', 'l3'].map(parseSquare).map(formatSgfPoint)).toEqual(['aa', 'ta', 'at', 'lr']);
  });

  test('squares and points round-trip', () => {
    fc.assert(
      fc.property(squares, (square) => {
        expect(parseSquare(formatSquare(square).toUpperCase())).toBe(square);
        expect(parseSgfPoint(formatSgfPoint(square))).toBe(square);
      }),
    );
  });

  test('any accepted text is accepted again in canonical form, with the same meaning', () => {
    const texts = fc.oneof(
      actions.map(formatMove),
      actions.map(formatSgfMove),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(mutated(texts), (text) => {
        const action = readable(parseMove, text);
        if (action !== undefined) expect(parseMove(formatMove(action))).toBe(action);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('positions', () => {
  const texts = picks.map((numbers) => gess.formatPosition(playPicks(gess, numbers.slice(0, 8))));

  test('have one canonical text, apart from white space', () => {
    fc.assert(
      fc.property(mutated(texts), (text) => {
        const position = readable(parsePosition, text);
        if (position !== undefined) expect(formatPosition(position)).toBe(text.trim().split(/\s+/).join(' '));
      }),
      { numRuns: 300 },
    );
  });
});

describe('figure codes', () => {
  const at = (moves: string, square: string, player: 0 | 1): string =>
    formatFigureCode(figureCode(positionAfter(gess, { moves }), parseSquare(square), player));

  test.each([
    ['l3', 0, '7-5-7', 'ring'],
    ['i3', 0, '7-7-7', 'queen'],
    ['o3', 0, '5-2-5', 'bishop'],
    ['d3', 0, '5-6-5', null],
    ['c3', 0, '2-7-2', 'rook'],
    ['c8', 0, '0-0-2', null],
    ['c6', 0, '2-0-0', 'pawn'],
    ['c15', 1, '0-0-2', 'pawn'],
    ['c13', 1, '2-0-0', null],
    ['a1', 0, '0-0-0', null],
    ['t20', 1, '0-0-0', null],
    ['l18', 0, '0-0-0', null],
    ['b2', 0, '3-1-0', null],
  ] as const)('the footprint %s of player %d is %s at the start', (square, player, code, name) => {
    const found = at('', square, player);
    if (name !== null) expect(figureName(parseFigureCode(found), player)).toBe(name);
    expect(found).toBe(code);
  });

  test('a digit has 4 for the left square', () => {
    const stones = ['b3', 'c2', 'd2'].map((name) => ({ color: 'b' as const, square: parseSquare(name) }));
    const position = parsePosition(`${boardText(stones)} b 0`);
    expect(formatFigureCode(figureCode(position, parseSquare('c3'), 0))).toBe('0-4-3');
  });

  test('round-trip through their text', () => {
    for (let code = 0; code < 512; code++) expect(parseFigureCode(formatFigureCode(code))).toBe(code);
  });

  test.each(['', '757', '7-5', '7-5-8', '7-5-7-', '-7-5-7'])('%j is refused', (text) => {
    expect(() => parseFigureCode(text)).toThrow(expect.objectContaining({ code: 'figure-syntax' }));
  });

  test('all pieces with legal moves are described, with all their moves', () => {
    fc.assert(
      fc.property(picks, (numbers) => {
        const state = playPicks(gess, numbers);
        const pieces = gess.describePieces!(state) as {
          center: string;
          figure: string;
          destinations: string[];
        }[];
        const moves = pieces.flatMap(({ center, destinations }) =>
          destinations.map((end) => `${center}-${end}`),
        );
        const out = new Int32Array(gess.maxLegalActions);
        const legal = Array.from(out.subarray(0, gess.legalActions(state, out)), (action) =>
          gess.formatAction(action),
        );
        expect(moves).toEqual(legal);
        for (const { center, figure } of pieces) {
          expect(figure).toBe(formatFigureCode(figureCode(state, parseSquare(center), state.player)));
        }
      }),
      { numRuns: 20 },
    );
  });
});
