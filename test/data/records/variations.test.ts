import { describe, expect, test } from 'vitest';
import type { GameRecord } from '../../../data/records/record.js';
import { mainLine, recordMoves } from '../../../data/records/record.js';
import { readJsonRecord } from '../../../data/records/record-json.js';
import { checkVariations, moveNumberAfter } from '../../../data/records/variations.js';
import { connectFour } from '../../../env/connect-four/connect-four.js';
import type { Game } from '../../../env/game.js';
import { createGame } from '../../../env/games.js';
import { replayMoves } from '../../../env/replay/replay.js';
import { readSgf } from '../../../data/records/sgf-reading.js';

const gess = createGame('gess');

function record(rest: string): GameRecord {
  return readSgf(`(;GM[20]RU[eureka]${rest})`);
}

describe('variations', () => {
  test('are all played from the position where they leave their line', () => {
    // The second moves White's pawn too far; the third is legal only after the second's first move.
    const tree = record(';B[fo:fn](;W[ff:fg];B[ro:rn])(;W[ff:fj])(;W[cf:cg];B[co:cn](;W[cg:ch])(;W[cg:cs]))');
    const before = structuredClone(tree);
    expect(checkVariations(gess, tree, false)).toEqual({
      tried: 3,
      illegal: [
        {
          line: '1... f15-f11',
          illegalPly: 1,
          reason: 'f15-f11 of white goes 4 squares, but the piece can go at most 3',
        },
        {
          line: '2... c14-c2',
          illegalPly: 3,
          reason: expect.stringMatching(/^c14-c2 of white goes 12 squares/) as string,
        },
      ],
    });
    expect(tree).toEqual(before);
  });

  test('after an illegal move are played only if it can be forced', () => {
    const tree = record(';B[fo:fh](;W[cf:cg])(;W[cf:cs])');
    expect(checkVariations(gess, tree, false)).toEqual({ tried: 0, illegal: [] });
    expect(checkVariations(gess, tree, true)).toMatchObject({ tried: 1, illegal: [{ line: '1... c15-c2' }] });
  });

  test('comments between moves are skipped', () => {
    const tree = record(';C[x](;B[fo:fn];N[y];W[fg:fh])(;C[z];B[fo:fh])');
    expect(checkVariations(gess, tree, false)).toMatchObject({ tried: 1, illegal: [{ line: '1. f6-f13' }] });
    expect(mainLine(tree).moves).toBe('f6-f7 f14-f13');
  });
});

test('time spent in a variation does not count outside it', () => {
  const timed = readJsonRecord(
    JSON.stringify({
      format: 'gess-zero-record',
      version: 1,
      game: 'quess',
      rules: 'standard,clock=10',
      moves: [
        { move: 'D1-C1', seconds: 9 },
        { move: 'C6-D6', variations: [['C6-D6', { move: 'E1-D3', seconds: 2 }]] },
        { move: 'E1-D3', seconds: 0.5 },
      ],
    }),
  );
  const quess = createGame(timed.game, timed.rules);
  expect(replayMoves(quess, mainLine(timed))).toMatchObject({ legal: true });
  expect(checkVariations(quess, timed, false)).toEqual({
    tried: 1,
    illegal: [
      {
        line: '1... C6-D6 2. E1-D3',
        illegalPly: 2,
        reason: 'E1-D3 of light comes after the end of the game',
      },
    ],
  });
});

test('moves are numbered from the ply of the position', () => {
  expect([0, 1, 2, 25].map((index) => moveNumberAfter(gess, undefined, index))).toEqual([
    '1.',
    '1...',
    '2.',
    '13...',
  ]);
  const later = gess.formatPosition(gess.initialState()).replace('b 0', 'w 7');
  expect([0, 1].map((index) => moveNumberAfter(gess, later, index))).toEqual(['4...', '5.']);
});

test('a record of a finished game has its result', () => {
  expect(recordMoves(connectFour as Game<unknown>, { moves: '0 1 0 1 0 1 0' })).toEqual({
    game: 'connect-four',
    rules: 'standard',
    result: 'red',
    moves: ['0', '1', '0', '1', '0', '1', '0'].map((move) => ({ move })),
  });
  expect(recordMoves(gess, { moves: 'F6:F7' })).toEqual({
    game: 'gess',
    rules: 'eureka',
    moves: [{ move: 'f6-f7' }],
  });
});

test('a replay spends each move’s seconds before the move', () => {
  const spent: [number, number][] = [];
  const timed: Game<unknown> = {
    ...(connectFour as Game<unknown>),
    spendTime: (state, seconds) => {
      spent.push([connectFour.ply(state as never), seconds]);
    },
  };
  const line = mainLine({
    game: 'connect-four',
    rules: 'standard',
    moves: [
      { move: '3', seconds: 1.5 },
      { comment: 'a pause', seconds: 9 },
      { move: '3' },
      { move: '2', seconds: 4 },
    ],
  });
  replayMoves(timed, line);
  expect(spent).toEqual([
    [0, 1.5],
    [1, 0],
    [2, 4],
  ]);
});
