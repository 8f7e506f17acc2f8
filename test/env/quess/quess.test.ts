import { describe, expect, test } from 'vitest';
import { type QuessPosition } from '../../../env/quess/quess-position.js';
import { replayMoves } from '../../../env/replay/replay.js';
import { listActions } from '../../../env/game.js';
import { START, after, legalTexts, outcomeAfter, quess, reasonFor } from './quess-games.js';

describe('moves (Q2)', () => {
  test('at the start', () => {
    expect(quess.formatPosition(quess.initialState())).toBe(`${START} l 0`);
    expect(legalTexts(quess.initialState())).toEqual(
      ['D1-C1', 'D1-D2', 'E1-C2', 'E1-D3', 'E2-D2', 'E2-E3', 'F2-D3', 'F2-E4', 'F3-E3', 'F3-F4'].sort(),
    );
  });

  test('a square slides up to a piece and takes one of another shape', () => {
    expect(legalTexts(quess.parsePosition('6/3t2/6/1c1S1T/6/3s2 l 0')).filter((move) => move < 'D5')).toEqual(
      ['D4-B4', 'D4-C4', 'D4-D2', 'D4-D3', 'D4-D5', 'D4-E4'],
    );
  });

  test('no piece takes one of its own shape', () => {
    expect(legalTexts(quess.parsePosition('6/6/3t2/2tTc1/3S2/6 d 0')).includes('D3-D4')).toBe(false);
    expect(legalTexts(quess.parsePosition('6/6/3t2/2tTc1/3S2/6 l 0')).includes('D4-D5')).toBe(true);
  });

  test.each([
    ['D3-D4', undefined, 'starts on D3, where the mover has no piece'],
    ['A6-A3', undefined, 'starts on A6, where the mover has no piece'],
    ['D1-B1', undefined, 'is not how a triangle moves'],
    ['F2-F4', undefined, 'is not how a circle moves'],
    ['F1-D2', undefined, 'is not how a square moves'],
    ['F1-C1', undefined, 'is blocked by the piece on E1'],
    ['F1-E1', undefined, "ends on a piece of the mover's own"],
    ['D4-C4', '6/6/3t2/2tTc1/3S2/6 l 0', 'would take a triangle with a triangle'],
  ])('%s is refused with the reason', (move, position, reason) => {
    expect(reasonFor(move, position)).toContain(reason);
  });

  test('a move off the board is illegal, and has a text and a reason', () => {
    const action = 28 * 35;
    expect(quess.isLegal(quess.initialState(), action)).toBe(false);
    expect(quess.formatAction(action)).toBe('A6-off');
    expect(quess.explainIllegal!(quess.initialState(), action)).toBe('leaves the board');
  });

  test('a forced move may break the rules, but not capture an own piece', () => {
    const forced = replayMoves(quess, { moves: 'F1-A1 A6-A1', force: true });
    expect(forced).toMatchObject({ legal: false, illegalPly: 0, position: 's2tc1/4tc/5t/T5/CT4/1CT3 l 2' });
    expect(quess.canForce!(quess.initialState(), quess.parseAction('F1-E1'))).toBe(false);
    expect(quess.canForce!(quess.initialState(), quess.parseAction('A1-B1'))).toBe(false);
    expect(quess.canForce!(quess.initialState(), 28 * 35)).toBe(false);
  });
});

test('the hash depends on the player to move, the pieces, their places and their owners', () => {
  const texts = [`${START} l 0`, `${START} d 0`, '3TCS/4TC/5T/t5/ct4/sct3 l 0', '3tcs/4tc/5t/6/CT4/SCT3 l 0'];
  expect(new Set(texts.map((text) => quess.hash(quess.parsePosition(text)))).size).toBe(texts.length);
});

describe('ends (Q4, Q5)', () => {
  test.each([
    ['two pieces in the zone', 'B4-B5', '6/3T2/5T/6/6/1t1t1c l 20', 1],
    ['one piece in the zone is not enough', 'B3-B4', '6/2T3/5T/6/6/1t1t1c l 20', null],
    ['dark in the zone', 'C1-D1', '6/6/t5/6/6/1cT2T d 20', -1],
    ['the last capture of a piece that stood alone', 'D4-D5', '6/6/6/3Sc1/6/T5 l 9', 1],
    ['a side that is shut in', 'B2-B1', 'Tt4/1t4/6/6/6/6 d 30', -1],
    ['shut in by its own shape, but with another piece', 'B2-B1', 'Tt4/1t4/6/6/5C/6 d 30', null],
    ['one piece a side', 'D4-D5', '6/6/6/3Sc1/6/5t l 9', 0],
    ['one piece against two', 'D4-D5', '6/6/6/3Sc1/6/T4t l 9', null],
  ])('%s', (_what, moves, position, outcome) => {
    expect(outcomeAfter(moves, position)).toBe(outcome);
    const state = after(moves, position);
    expect(quess.countLegalActions(state) === 0).toBe(outcome !== null);
    quess.undo(state);
    expect([quess.outcome(state), quess.formatPosition(state)]).toEqual([null, position]);
  });

  test('superko can bar the last move, and packed bytes keep that', () => {
    // Light's triangle has A1 and B1 to itself; A1 with the square on F6 was the first board.
    const position = 'Tt4/1t4/t5/6/6/5s d 0';
    const state = after('F6-F5 A1-B1 F5-F6', position);
    expect([quess.outcome(state), quess.countLegalActions(state)]).toEqual([-1, 0]);
    const copy = quess.initialState();
    const packed = new Uint8Array(quess.packedSize);
    quess.pack(state, packed, 0);
    quess.unpack(packed, 0, copy);
    expect([quess.outcome(copy), quess.countLegalActions(copy)]).toEqual([-1, 0]);
    expect(quess.outcome(quess.parsePosition(quess.formatPosition(state)))).toBeNull();
    quess.undo(state);
    expect(quess.outcome(state)).toBeNull();
    expect(outcomeAfter('F6-F5 A1-B1 F5-E5', position)).toBeNull();
  });

  test('only the mover wins by the zone: a player with two pieces there who is to move must move first', () => {
    const position = '3TT1/6/6/6/6/t1t3 l 4';
    expect(quess.outcome(quess.parsePosition(position))).toBe(-1);
    const lightOnly = '3TT1/6/6/6/6/4tt l 4';
    expect(quess.outcome(quess.parsePosition(lightOnly))).toBeNull();
    expect(outcomeAfter('A4-A3', lightOnly)).toBeNull();
    expect(outcomeAfter('A5-A6', lightOnly)).toBe(1);
  });

  test('the winner and the draw are named', () => {
    const position = '6/6/6/3Sc1/6/5t l 9';
    expect(replayMoves(quess, { moves: 'D4-D5', position }).outcome).toBe('draw');
    expect(replayMoves(quess, { moves: 'B4-B5', position: '6/3T2/5T/6/6/1t1t1c l 20' }).outcome).toBe(
      'light',
    );
    expect(replayMoves(quess, { moves: 'B2-B1', position: 'Tt4/1t4/6/6/6/6 d 30' }).outcome).toBe('dark');
    const late = replayMoves(quess, { moves: 'D4-D5 F6-F5', position });
    expect(late).toMatchObject({ illegalPly: 1, legalCounts: [expect.any(Number), 0] });
    expect(late.reason).toContain('comes after the end of the game');
  });
});

describe('planes and policy indices', () => {
  /** Squares where a plane is 1, by the names that a viewer playing light would use. */
  function squaresOf(state: QuessPosition, plane: number): string[] {
    const out = new Float32Array(6 * 6 * 20);
    quess.observe(state, out, 0);
    return Array.from({ length: 36 }, (_, square) => square)
      .filter((square) => out[square * 20 + plane] === 1)
      .map((square) => `${'FEDCBA'.charAt(Math.floor(square / 6))}${(square % 6) + 1}`);
  }

  test('both sides see their own pieces in the corner F1', () => {
    for (const text of [`${START} l 0`, `${START} d 1`]) {
      const state = quess.parsePosition(text);
      const planes = [0, 1, 2, 3, 4, 5, 6, 7].map((plane) => squaresOf(state, plane).join(' '));
      expect(planes).toEqual([
        'F3 E2 D1',
        'F2 E1',
        'F1',
        'C6 B5 A4',
        'B6 A5',
        'A6',
        'F1 F2 F3 E1 E2 D1',
        'C6 B5 B6 A4 A5 A6',
      ]);
      expect(squaresOf(state, 19)).toHaveLength(36);
    }
  });

  test('last moves, barred moves, ply', () => {
    const state = after('D1-C1 C6-D6 C1-D1');
    // Dark's view: half a turn.
    expect([8, 9, 10, 11, 12, 13].map((plane) => squaresOf(state, plane).join())).toEqual([
      'D6',
      'C6',
      'D1',
      'C1',
      'C1',
      'D1',
    ]);
    const out = new Float32Array(6 * 6 * 20);
    quess.observe(state, out, 0);
    expect([...out.slice(14, 19)]).toEqual([Math.fround(3 / 128), Math.fround(3 / 300), 0, 0, 0]);
  });

  test('the half turn maps light’s moves to dark’s', () => {
    const indices = (text: string, player: 0 | 1): number[] =>
      Array.from(listActions(quess, quess.parsePosition(text)), (action) =>
        quess.policyIndex(player, action),
      ).sort((a, b) => a - b);
    expect(indices(`${START} d 0`, 1)).toEqual(indices(`${START} l 0`, 0));
    expect(quess.policyIndex(1, quess.parseAction('B6-C4'))).toBe(quess.parseAction('E1-D3'));
    expect(quess.policyIndex(1, quess.parseAction('A6-A2'))).toBe(quess.parseAction('F1-F5'));
  });
});
