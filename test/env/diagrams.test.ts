import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { connectFour } from '../../env/connect-four/connect-four.js';
import { ansiPaint } from '../../env/environments/ansi-paint.js';
import type { Game, Paint } from '../../env/game.js';
import { createGess } from '../../env/gess/gess.js';
import { createQuess } from '../../env/quess/quess.js';
import { positionAfter } from '../../env/replay/replay.js';
import { escapeXml, svgDocument, svgElement, svgText } from '../../env/diagrams/svg.js';
import { picks, playPicks } from './game-picks.js';
import { checkWellFormed } from './well-formed.js';

const gess = createGess();

function rank(lines: readonly string[], number: number): string {
  return lines.find(
    (line) =>
      line.startsWith(`${String(number).padStart(2)} `) || line.startsWith(`${String(number).padStart(2)}(`),
  )!;
}

describe('on a terminal', () => {
  test('the last move’s footprints and rings are marked', () => {
    const lines = gess.render(positionAfter(gess, { moves: 'f6-f7' })).split('\n');
    expect([8, 7, 6, 5, 3].map((number) => rank(lines, number))).toEqual([
      ' 8   . . . + x + . . . . . . . . . . . .   8',
      ' 7   . x . + + + . x . . x . . x . . x .   7',
      ' 6   . . . + + + . . . . . . . . . . . .   6',
      ' 5   . . . - - - . . . . . . . . . . . .   5',
      ' 3   x x x . x . x x x x(.)x . x . x x x   3',
    ]);
    expect(lines.slice(-3)).toEqual([
      'ply 1, white to move, last move f6-f7',
      'rings: black l3, white l18',
      'x black, o white; - and + the last move’s footprint before and after; ( ) rings',
    ]);
  });

  test('the chosen piece and its destinations are marked', () => {
    const lines = gess.render(gess.initialState(), { piece: 'F6' }).split('\n');
    expect([9, 8, 7, 6].map((number) => rank(lines, number))).toEqual([
      ' 9   . . . . * . . . . . . . . . . . . .   9',
      ' 8   . . . . * . . . . . . . . . . . . .   8',
      ' 7   . x . . X . . x . . x . . x . . x .   7',
      ' 6   . . . .[.]. . . . . . . . . . . . .   6',
    ]);
    expect(lines.slice(-3)).toEqual([
      'piece f6: 2-0-0 (pawn), 3 legal moves',
      'x black, o white; ( ) rings',
      '[ ] the piece, * and capitals its destinations',
    ]);
  });

  test('a square without a piece of the player has no moves', () => {
    expect(gess.render(gess.initialState(), { piece: 'l18' })).toContain('no legal move from l18');
  });

  test('the winner of a finished game is named', () => {
    const state = gess.parsePosition(
      gess.formatPosition(gess.initialState()).replace(/^.*?\/18\//, '18/18/18/18/'),
    );
    expect(gess.render(state)).toContain('ply 0, black has won');
  });
});

describe('colours', () => {
  const quess = createQuess();
  const marked = [
    [gess, 'f6-f7 p15-m12', 'i6'],
    [quess, 'F2-D3', 'F3'],
    [connectFour, '3 3 2', undefined],
  ] as readonly (readonly [Game<unknown>, string, string | undefined])[];

  test.each(marked)('are all that paint changes in $0.id', (game, moves, piece) => {
    const state = positionAfter(game, { moves });
    const painted = game.render(state, { piece, paint: ansiPaint });
    expect(painted).toContain('\u001b[');
    expect(stripVTControlCharacters(painted)).toBe(game.render(state, { piece }));
  });

  test('distinguish the sides, the last move, rings and choices', () => {
    const kinds = new Map<string, Set<string>>();
    const paint: Paint = (kind, text) => {
      kinds.set(kind, (kinds.get(kind) ?? new Set()).add(text));
      return text;
    };
    for (const [game, moves, piece] of marked) game.render(positionAfter(game, { moves }), { piece, paint });
    expect(Object.fromEntries([...kinds].map(([kind, texts]) => [kind, [...texts].sort().join('')]))).toEqual(
      {
        first: 'CSTXrx',
        second: 'costy',
        ring: '()',
        'last-move': '+-',
        choice: '*[]',
      },
    );
  });
});

test.each(['', 'u1', 'a0', 'a21', '<g>', 'l3-l4'])('%j is not a piece', (piece) => {
  const refused = expect.objectContaining({ code: 'action-syntax' }) as Error;
  expect(() => gess.render(gess.initialState(), { piece })).toThrow(refused);
  expect(() => gess.renderSvg!(gess.initialState(), { piece })).toThrow(refused);
});

describe('as SVG', () => {
  const count = (svg: string, part: string): number => svg.split(part).length - 1;

  test('Gess is well-formed, small and shows every stone', () => {
    fc.assert(
      fc.property(picks, fc.option(fc.nat(399), { nil: undefined }), (numbers, square) => {
        const state = playPicks(gess, numbers);
        const piece =
          square === undefined
            ? undefined
            : `${'abcdefghijklmnopqrst'.charAt(square % 20)}${Math.floor(square / 20) + 1}`;
        const svg = gess.renderSvg!(state, { piece });
        const names = checkWellFormed(svg);
        expect(names[0]).toBe('svg');
        expect(svg.length).toBeLessThan(30_000);
        const stones = gess.formatPosition(state).split(' ')[0]!.replace(/[^bw]/g, '').length;
        expect(count(svg, 'r="12.5"')).toBe(2 * stones);
      }),
      { numRuns: 30 },
    );
  });

  test('marks rings, footprints and destinations', () => {
    const state = positionAfter(gess, { moves: 'f6-f7' });
    const plain = gess.renderSvg!(state);
    expect([count(plain, 'stroke-dasharray'), count(plain, 'r="7"'), count(plain, 'r="6"')]).toEqual([
      1, 2, 0,
    ]);
    const marked = gess.renderSvg!(state, { piece: 'l18' });
    const legal = (gess.describePieces!(state) as { center: string; destinations: string[] }[]).find(
      ({ center }) => center === 'l18',
    )!;
    expect(count(marked, 'r="6"')).toBe(legal.destinations.length);
    expect(marked).toContain('7-5-7 (ring)');
  });

  test('a footprint at the edge stays on the board', () => {
    const state = positionAfter(gess, { moves: 'c6-c7' });
    expect(gess.renderSvg!(state, { piece: 'a3' })).not.toContain('x="-');
  });

  test('Connect Four is well-formed and marks the last stone', () => {
    fc.assert(
      fc.property(picks, (numbers) => {
        const state = playPicks(connectFour, numbers);
        const svg = connectFour.renderSvg!(state);
        expect(checkWellFormed(svg)[0]).toBe('svg');
        expect(count(svg, 'r="20"')).toBe(42);
        expect(count(svg, 'r="6"')).toBe(numbers.length === 0 ? 0 : 1);
      }),
      { numRuns: 30 },
    );
  });

  test('any text is escaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const content = [svgText(text, { class: text }), svgElement('g', { id: text })];
        checkWellFormed(svgDocument({ width: 1, height: 1, title: text }, content));
        expect(escapeXml(text)).not.toMatch(
          /(?![\t\n\r])\p{Cc}(?<![\u007f-\u009f])|[\ufffe\uffff<>"']|\p{Cs}/u,
        );
      }),
    );
  });

  test.each([
    '<a>',
    '<a></b>',
    '<a/><b/>',
    '<a b="1" b="2"/>',
    '<a b=1/>',
    '<a>&</a>',
    'x<a/>',
    '<a b="&"/>',
    '<a',
  ])('the check rejects %j as malformed', (xml) => {
    expect(() => checkWellFormed(xml)).toThrow();
  });
});
