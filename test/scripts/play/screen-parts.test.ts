import { describe, expect, test } from 'vitest';
import { createGame } from '../../../env/games.js';
import { positionAfter } from '../../../env/replay/replay.js';
import { completeLine } from '../../../scripts/play/completion.js';
import { PlaySession } from '../../../scripts/play/play-session.js';
import { PlayTable } from '../../../scripts/play/play-table.js';
import { SavedGame } from '../../../scripts/play/saved-game.js';
import { boardSize, paintBoard } from '../../../scripts/play/screen/board-painting.js';
import { layOutFrame } from '../../../scripts/play/screen/frame-layout.js';
import { sideText } from '../../../scripts/play/screen/side-text.js';
import { isUnicodeLocale } from '../../../scripts/terminal/terminal-facts.js';
import { blend, inkText } from '../../../scripts/terminal/terminal-colors.js';
import { colorDepthOf } from '../../../scripts/terminal/color-depth.js';
import { wrapText } from '../../../scripts/text/wrapped-text.js';

const gess = createGame('gess');

function complete(line: string, chosen?: string): readonly string[] {
  return completeLine({ game: gess, state: gess.initialState(), chosen }, line).candidates;
}

test('completion offers squares, legal moves, destinations of the chosen piece, and commands', () => {
  expect(complete('f6-')).toEqual(['f6-f7', 'f6-f8', 'f6-f9']);
  expect(complete('F6')).toEqual(['f6-']);
  expect(complete('', 'f6')).toEqual(['f7', 'f8', 'f9']);
  expect(complete('/un')).toEqual(['undo']);
  expect(complete('hin')).toEqual(['hint']);
  expect(complete('f6-f7 ')).toEqual([]);
  expect(complete('zz')).toEqual([]);
});

describe('layout', () => {
  const board = gess.draw!(gess.initialState());
  test.each([
    [160, 50, 'large', 71],
    [80, 24, 'normal', 31],
    [80, 40, 'normal', 31],
    [50, 24, 'normal', 0],
    [30, 24, 'compact', 0],
    [20, 24, undefined, 0],
    [80, 23, undefined, 0],
    [0, 0, undefined, 0],
  ] as const)('%d x %d: %s board, %d columns beside it', (columns, lines, scale, side) => {
    expect(layOutFrame(board, { columns, lines }, true)).toMatchObject({ scale, sideColumns: side });
  });

  test.each(['compact', 'normal', 'large'] as const)('a painted %s board has its stated size', (scale) => {
    const lines = paintBoard(board, scale, { depth: 1, isUnicode: true });
    const { columns, lines: count } = boardSize(board, scale);
    expect(lines.map(({ length }) => length)).toEqual(Array<number>(count).fill(columns));
  });
});

test.each([
  ['agent', ['Too strong or too weak? Type level 1 … level 8.']],
  ['person', []],
] as const)('before the first move against a %s, the text beside the board offers levels', (seat, offers) => {
  const session = new PlaySession(gess, { seats: ['person', seat] });
  const agents = { opponent: 'careful', adviser: 'random', seed: 1, analysisMs: undefined };
  const table = new PlayTable({ session, saved: new SavedGame('game.json'), facts: {}, ...agents });
  const scene = { table, drawing: undefined, firstPieces: undefined, answer: [] };
  const lines = sideText({ ...scene, facts: { depth: 1, isUnicode: true } }, { columns: 80, lines: 20 });
  expect(lines.filter((line) => line.includes('level'))).toEqual(offers);
});

test('a drawing of Gess marks the last move, captured stones, rings, and rings in danger', () => {
  // Black's queen on the open file breaks White's ring on its next move.
  const position = '18/6www9/6w1w9/6www9/18/18/18/18/7b10/7b10/18/18/18/18/6bbb9/6b1b9/6bbb9/18 b 10';
  const { rows, notes } = gess.draw!(gess.parsePosition(position), { piece: 'i10' });
  const count = (mark: string): number =>
    rows.flat().filter(({ marks }) => marks.includes(mark as 'ring')).length;
  expect([count('ring'), count('threat'), count('piece'), count('center')]).toEqual([16, 8, 9, 1]);
  expect(notes).toEqual(["white's ring on i17 is in danger"]);
  const capture = gess.parsePosition(
    '18/6www9/6w1w9/6www9/18/18/18/18/18/18/7w10/7b10/7b10/18/6bbb9/6b1b9/6bbb9/18 b 10',
  );
  gess.apply(capture, gess.parseAction('i7-i8'));
  const after = gess.draw!(capture).rows.flat();
  expect(after.filter(({ marks }) => marks.includes('captured'))).toHaveLength(1);
  expect(after.filter(({ marks }) => marks.includes('after'))).toHaveLength(9);
});

test('drawings of the other games count their pieces', () => {
  const quess = createGame('quess');
  const taken = quess.draw!(positionAfter(quess, { moves: 'F2-D3' }));
  expect(taken.rows.flat().filter(({ piece }) => piece !== undefined)).toHaveLength(12);
  const four = createGame('connect-four');
  expect(four.draw!(positionAfter(four, { moves: '3 3' })).rows[4]![3]!.marks).toEqual(['after']);
});

test('colours follow NO_COLOR, FORCE_COLOR and the depth of the terminal', () => {
  const terminal = { isTTY: true };
  expect(colorDepthOf(terminal, { TERM: 'xterm-256color', NO_COLOR: '1' })).toBe(1);
  expect(colorDepthOf(terminal, { TERM: 'xterm-256color' })).toBe(8);
  expect(colorDepthOf({}, { TERM: 'xterm-256color' })).toBe(1);
  expect(colorDepthOf({}, { FORCE_COLOR: '3' })).toBe(24);
  expect(colorDepthOf(terminal, { TERM: 'xterm-256color', FORCE_COLOR: '0' })).toBe(1);
  expect(inkText('x', { foreground: '#ff0000' }, 1)).toBe('x');
  expect(inkText('x', { foreground: '#ff0000' }, 8)).toBe('\u001b[38;5;196mx\u001b[0m');
  expect(blend('#000000', '#ffffff', 0.5)).toBe('#808080');
});

test('the locale decides on Unicode', () => {
  expect(isUnicodeLocale({ LANG: 'de_DE.UTF-8' })).toBe(true);
  expect(isUnicodeLocale({ LANG: 'de_DE.UTF-8', LC_ALL: 'C' })).toBe(false);
  expect(isUnicodeLocale({ LANG: 'C.utf8', LC_ALL: '' })).toBe(true);
  expect(isUnicodeLocale({})).toBe(false);
});

test('text is wrapped between words, and within words that are too long', () => {
  expect(wrapText('one two three', 7, ' ')).toEqual(['one two', ' three']);
  expect(wrapText('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
  // Without room for the indent.
  expect(wrapText('one two', 2, '  ')).toEqual(['on', 'e', 'tw', 'o']);
  expect(wrapText('ab', 0, '  ')).toEqual(['a', 'b']);
});
