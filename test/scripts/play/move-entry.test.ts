import { describe, expect, test } from 'vitest';
import { createGame } from '../../../env/games.js';
import { positionAfter } from '../../../env/replay/replay.js';
import { type Entry, parseEntry } from '../../../scripts/play/move-entry.js';

function enter(
  id: string,
  line: string,
  { moves = '', chosen }: { moves?: string; chosen?: string } = {},
): Entry {
  const game = createGame(id);
  return parseEntry({ game, state: positionAfter(game, { moves }), chosen }, line);
}

function moveOf(id: string, entry: Entry): string {
  return entry.kind === 'move' ? createGame(id).formatAction(entry.action) : entry.kind;
}

describe('moves', () => {
  test.each([
    ['gess', 'f6-f7', 'f6-f7'],
    ['gess', '  F6-F7 ', 'f6-f7'],
    ['gess', 'f6xf7', 'f6-f7'],
    ['quess', 'f2-d3', 'F2-D3'],
    ['connect-four', '3', '3'],
  ])('%s reads %j as %s', (id, line, move) => {
    expect(moveOf(id, enter(id, line))).toBe(move);
  });

  test('the square of a piece chooses it, and the next square is its destination', () => {
    expect(enter('gess', 'F6')).toEqual({ kind: 'piece', square: 'f6' });
    expect(moveOf('gess', enter('gess', 'f7', { chosen: 'f6' }))).toBe('f6-f7');
    expect(enter('gess', 'c6', { chosen: 'f6' })).toEqual({ kind: 'piece', square: 'c6' });
  });
});

describe('commands', () => {
  test.each([
    ['undo', 'undo', ''],
    ['/UNDO', 'undo', ''],
    ['u', 'undo', ''],
    ['opponent  alphabeta:depth=2', 'opponent', 'alphabeta:depth=2'],
  ])('%j is %s', (line, name, argument) => {
    expect(enter('gess', line)).toEqual({ kind: 'command', name, argument });
  });
});

describe('an entry that cannot be executed is explained', () => {
  test.each([
    ['gess', 'f9-f10', /f9-f10 of black starts from a footprint|where the piece has no stone/],
    ['gess', 'l9', /^no legal move of black starts on l9$/],
    ['gess', 'hnit', /did you mean 'hint'/],
    ['gess', '/hnit', /did you mean 'hint'/],
    ['gess', 'f6-f7 c6-c7', /expected a move like f6-f7/],
    ['gess', 'a\u001b[2Jb', /control characters, got 'a\\u001b\[2Jb'$/],
    ['gess', 'x'.repeat(501), /at most 500 characters, got 501/],
    ['quess', 'F1-E1', /F1-E1 of light/],
    ['connect-four', '9', /expected a column 0 to 6/],
  ])('%s: %j', (id, line, reason) => {
    const entry = enter(id, line);
    expect(entry.kind === 'problem' ? entry.message : entry).toMatch(reason);
  });

  test('a destination that the chosen piece cannot reach', () => {
    const entry = enter('gess', 'f20', { chosen: 'f6' });
    expect(entry.kind === 'problem' ? entry.message : entry).toMatch(/^f6-f20 of black goes/);
  });
});

test('an empty line', () => {
  expect(enter('gess', '  ')).toEqual({ kind: 'empty' });
});
