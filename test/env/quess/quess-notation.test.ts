import { describe, expect, test } from 'vitest';
import { createGame } from '../../../env/games.js';
import { after, quess, START, timed } from './quess-games.js';

describe('texts', () => {
  test.each([['f2-d3'], ['F2xD3'], ['F2–D3'], ['f2XD3'], [' F2-D3 ']])('the move %j is F2-D3', (text) => {
    expect(quess.parseAction(text)).toBe(48);
    expect(quess.formatAction(48)).toBe('F2-D3');
  });

  test.each(['', 'F2', 'F2-', 'F2-F2', 'F2-D4', 'G2-D3', 'F7-D3', 'F2-D3-E5', 'F0-F1', 'F2=D3'])(
    'the move %j is refused',
    (text) => {
      expect(() => quess.parseAction(text)).toThrow(expect.objectContaining({ code: 'action-syntax' }));
    },
  );

  test.each([
    ['', 'position-size', 'nothing'],
    ['6/6/6/6/6 l 0', 'position-size', '5'],
    ['6/6/6/6/6/7 l 0', 'position-syntax', 'row F, column 1'],
    ['6/6/5/6/6/6 l 0', 'position-syntax', 'row C, column 6'],
    ['6/6/3X2/6/6/6 l 0', 'position-syntax', 'row C, column 4'],
    ['6/6/3.2/6/6/6 l 0', 'position-syntax', 'row C, column 4'],
    ['6/6/33/6/6/6 l 0', 'position-syntax', 'row C'],
    ['6/6/1111T1/6/6/6 l 0', 'position-syntax', 'row C'],
    ['6/6/06/6/6/6 l 0', 'position-syntax', 'row C'],
    ['6/6/SS4/6/6/6 l 0', 'position-syntax', "light's squares"],
    ['6/6/ttt1t1/6/6/6 l 0', 'position-syntax', "dark's triangles"],
    [`${START} w 0`, 'position-turn', "'w'"],
    [START, 'position-turn', "''"],
    [`${START} l`, 'position-turn', "''"],
    [`${START} l 00`, 'position-turn', "'00'"],
    [`${START} l 65536`, 'position-turn', "'65536'"],
    [`${START} l 0 180 180`, 'position-syntax', "'180 180'"],
  ])('the position %j is refused', (text, code, where) => {
    expect(() => quess.parsePosition(text)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(where) as string }),
    );
  });

  test.each([
    '',
    '180',
    '180 180 1',
    '180 -1',
    '180 181',
    '180 1.0',
    '180 .5',
    '180 1.0005',
    '0 0',
    '1e2 5',
    '05 5',
  ])('the clocks %j are refused', (clocks) => {
    expect(() => timed.parsePosition(`${START} l 0 ${clocks}`)).toThrow(
      expect.objectContaining({ code: 'position-syntax' }),
    );
  });

  test.each([
    ['default', 'standard'],
    ['standard', 'standard'],
    ['standard,clock=none', 'standard'],
    ['default,clock=60', 'standard,clock=60'],
    ['standard,clock=86400', 'standard,clock=86400'],
  ])('the rules %s are %s', (text, canonical) => {
    expect(createGame('quess', text).rules).toBe(canonical);
    expect(createGame('quess', canonical).rules).toBe(canonical);
  });

  test.each([
    '',
    'eureka',
    'standard,',
    'standard,clock',
    'standard,clock=',
    'standard,clock=0',
    'standard,clock=1.5',
    'standard,clock=86401',
    'standard,clock=60,clock=60',
    'standard,ko=none',
  ])('the rules %j are refused', (text) => {
    expect(() => createGame('quess', text)).toThrow(expect.objectContaining({ code: 'rules-unknown' }));
  });

  test.each([
    ['too few', (bytes: Uint8Array) => bytes.slice(1), 'position-size'],
    ['a piece 7', (bytes: Uint8Array) => bytes.fill(7, 0, 1), 'position-syntax'],
    ['a bit beyond the board', (bytes: Uint8Array) => bytes.fill(8, 3, 4), 'position-syntax'],
    ['two squares of a side', (bytes: Uint8Array) => bytes.fill(0b011_011, 0, 1), 'position-syntax'],
    ['a player 2', (bytes: Uint8Array) => bytes.fill(2, 16, 17), 'position-syntax'],
    ['a move off the board', (bytes: Uint8Array) => bytes.fill(13, 19, 20), 'position-syntax'],
    ['a move that is out of range', (bytes: Uint8Array) => bytes.fill(255, 21, 23), 'position-syntax'],
    ['more barred moves than moves', (bytes: Uint8Array) => bytes.fill(4, 24, 25), 'position-syntax'],
    ['clocks', (bytes: Uint8Array) => bytes.fill(1, 31, 32), 'position-syntax'],
  ])('packed bytes with %s are refused', (_what, change, code) => {
    const packed = new Uint8Array(quess.packedSize);
    quess.pack(quess.initialState(), packed, 0);
    expect(() => {
      quess.unpack(change(packed), 0, quess.initialState());
    }).toThrow(expect.objectContaining({ code }));
  });

  test('diagrams mark the destinations of a piece', () => {
    const state = after('F2-D3');
    expect(quess.render(state, { piece: 'b6' }).split('\n').slice(1, 7)).toEqual([
      ' A  . . . t c s  A',
      ' B  . . . . t c  B',
      ' C  . . .*. . t  C',
      ' D  T .+C .*. .  D',
      ' E  C T . . . .  E',
      ' F  S+: T . . .  F',
    ]);
    const svg = quess.renderSvg!(state, { piece: 'b6' });
    expect(svg.match(/<circle [^>]*r="7"/g)).toHaveLength(2);
    expect(svg).not.toMatch(/href|<script|url\(/);
    expect(() => quess.render(state, { piece: 'z9' })).toThrow(
      expect.objectContaining({ code: 'action-syntax' }),
    );
    expect(() => quess.renderSvg!(state, { piece: 'A0' })).toThrow(
      expect.objectContaining({ code: 'action-syntax' }),
    );
  });
});
