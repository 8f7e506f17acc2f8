import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Game } from '../../env/game.js';
import { createQuess } from '../../env/quess/quess.js';
import { EMPTY, TARGETS } from '../../env/quess/quess-board.js';
import {
  chainOf,
  type QuessPosition,
  RECORD_HASH_HIGH,
  RECORD_HASH_LOW,
  RECORD_SIZE,
} from '../../env/quess/quess-position.js';
import { createRng, type Rng } from '../../env/random.js';
import { replayMoves } from '../../env/replay/replay.js';
import { listActions } from '../../env/environments/conformance/game-play.js';
import { after, legalTexts, quess, START, timed } from './quess-games.js';

function outcomeAfter(moves: string, position: string, game: Game<QuessPosition> = quess): number | null {
  return game.outcome(after(moves, position, game));
}

function reasonFor(moves: string, position?: string): string | null {
  return replayMoves(quess, { moves, position }).reason;
}

/** Every byte of the state, with only the used records. */
function bytes(state: QuessPosition): QuessPosition {
  return structuredClone({ ...state, records: state.records.slice(0, state.historyLength * RECORD_SIZE) });
}

/** Plays a random move that captures nothing and does not end the game; false if there is none. */
function wander(game: Game<QuessPosition>, state: QuessPosition, rng: Rng): boolean {
  const quiet = Array.from(listActions(game, state)).filter((action) => {
    if (state.cells[TARGETS[action]!] !== EMPTY) return false;
    game.apply(state, action);
    const goesOn = game.outcome(state) === null;
    game.undo(state);
    return goesOn;
  });
  if (quiet.length === 0) return false;
  game.apply(state, quiet[rng.integer(quiet.length)]!);
  return true;
}

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

describe('superko (Q3)', () => {
  const AWAY_AND_BACK = 'D1-C1 C6-D6 C1-D1';

  test('no board may recur, including the first one', () => {
    const state = after(AWAY_AND_BACK);
    expect(quess.isLegal(state, quess.parseAction('D6-C6'))).toBe(false);
    expect(legalTexts(state)).not.toContain('D6-C6');
    expect(quess.describe!(state)).toMatchObject({ barred: ['D6-C6'] });
    expect(reasonFor(`${AWAY_AND_BACK} D6-C6`)).toMatch(/would bring back the board of ply 0$/);
  });

  test('the player to move does not matter', () => {
    // Light's square returns in three moves while dark's goes away and back.
    const reason = reasonFor('A1-A3 F6-F5 A3-A2 F5-F6 A2-A1', 'S5/6/6/6/2T3/2t2s l 0');
    expect(reason).toMatch(/^A2-A1 of light would bring back the board of ply 0$/);
  });

  test('the reason names the ply of the game, whatever came before the position', () => {
    const reason = reasonFor('D1-D2 C6-D6 D2-D1 D6-C6', `${START} l 40`);
    expect(reason).toMatch(/would bring back the board of ply 40$/);
  });

  test('a parsed position counts as an earlier board, but has no history', () => {
    const state = after(AWAY_AND_BACK);
    const copy = quess.parsePosition(quess.formatPosition(state));
    expect(quess.isLegal(copy, quess.parseAction('D6-C6'))).toBe(true);
  });

  test('an undone move leaves no trace', () => {
    const state = quess.parsePosition('5s/6/2t3/3T2/6/S5 l 0');
    const before = bytes(state);
    quess.apply(state, quess.parseAction('A1-A2'));
    expect(bytes(state)).not.toEqual(before);
    quess.undo(state);
    expect(bytes(state)).toEqual(before);
  });

  test('undone moves do not affect a game', () => {
    fc.assert(
      fc.property(fc.nat(), fc.array(fc.integer({ min: -3, max: 9 }), { maxLength: 60 }), (seed, runs) => {
        const rng = createRng(seed);
        const state = quess.parsePosition('5s/6/2t3/3T2/6/S5 l 0');
        const start = quess.clone(state);
        for (const run of runs) {
          for (let i = 0; i < run && wander(quess, state, rng); i++);
          for (let i = run; i < 0 && quess.historyLength(state) > 0; i++) quess.undo(state);
        }
        for (let i = 0; i < quess.historyLength(state); i++)
          quess.apply(start, quess.historyAction(state, i));
        expect(bytes(state)).toEqual(bytes(start));
        expect(legalTexts(state)).toEqual(legalTexts(start));
      }),
      { numRuns: 30 },
    );
  });

  test.each(['standard', 'standard,clock=180'])(
    'undo through 1,000 plies of %s restores every byte',
    (rules) => {
      const game = createQuess({ rules });
      const state = game.initialState();
      const rng = createRng(5);
      const portraits: QuessPosition[] = [];
      let barred = 0;
      for (let ply = 0; ply < 1000; ply++) {
        if (ply % 50 === 0) portraits.push(bytes(state));
        barred += (game.describe!(state)['barred'] as string[]).length;
        game.spendTime?.(state, rng.integer(150) / 1000);
        expect(wander(game, state, rng)).toBe(true);
      }
      expect(barred).toBeGreaterThan(20);
      for (let ply = 999; ply >= 0; ply--) {
        game.undo(state);
        if (ply % 50 === 0) expect(bytes(state)).toEqual(portraits.pop());
      }
      expect(bytes(state)).toEqual(bytes(game.initialState()));
    },
  );

  test('a board with an equal hash does not bar another board', () => {
    const state = after(AWAY_AND_BACK);
    const action = quess.parseAction('D6-E6');
    quess.apply(state, action);
    const { hashLow, hashHigh } = state;
    quess.undo(state);
    // The board after the first move, with the same pieces, gets the hash of the board after `action`.
    state.records[RECORD_SIZE + RECORD_HASH_LOW] = hashLow;
    state.records[RECORD_SIZE + RECORD_HASH_HIGH] = hashHigh;
    state.chains[chainOf(hashLow)] = 1;
    expect(quess.isLegal(state, action)).toBe(true);
  });

  test('packed bytes keep barred moves, and an end caused by them', () => {
    const state = after(AWAY_AND_BACK);
    const packed = new Uint8Array(quess.packedSize);
    quess.pack(state, packed, 0);
    const copy = quess.initialState();
    quess.unpack(packed, 0, copy);
    expect(legalTexts(copy)).toEqual(legalTexts(state));
    expect(quess.isLegal(copy, quess.parseAction('D6-C6'))).toBe(false);
    expect(quess.explainIllegal!(copy, quess.parseAction('D6-C6'))).toBe('would bring back an earlier board');
  });
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

describe('clocks (Q6)', () => {
  test('there is none without the setting', () => {
    expect('spendTime' in quess).toBe(false);
    expect('clocks' in quess.describe!(quess.initialState())).toBe(false);
  });

  test('time is taken off the clock of the player to move, in whole milliseconds', () => {
    const state = timed.initialState();
    timed.spendTime!(state, 0.5004);
    timed.apply(state, timed.parseAction('F2-D3'));
    timed.spendTime!(state, 60);
    timed.spendTime!(state, 0.25);
    expect(timed.formatPosition(state)).toBe('3tcs/4tc/5t/T1C3/CT4/S1T3 d 1 179.5 119.75');
    expect(timed.describe!(state)).toMatchObject({ clocks: { light: 179.5, dark: 119.75 } });
    expect(timed.render(state)).toContain('seconds left: light 179.5, dark 119.75');
  });

  test('undo restores the time of its move and the time spent since', () => {
    const state = timed.initialState();
    const before = bytes(state);
    timed.spendTime!(state, 7);
    timed.apply(state, timed.parseAction('F2-D3'));
    const between = bytes(state);
    timed.spendTime!(state, 8);
    timed.apply(state, timed.parseAction('B6-C4'));
    timed.undo(state);
    expect(bytes(state)).toEqual(between);
    timed.spendTime!(state, 9);
    timed.undo(state);
    expect(bytes(state)).toEqual(before);
  });

  test.each([
    ['light', '', 1, -1],
    ['dark', 'F2-D3', 1, 1],
  ])('%s, who has no time left, has lost', (_who, moves, milliseconds, outcome) => {
    const state = after(moves, undefined, timed);
    timed.spendTime!(state, 180 - milliseconds / 1000);
    expect(timed.outcome(state)).toBeNull();
    timed.spendTime!(state, milliseconds / 1000);
    expect([timed.outcome(state), timed.countLegalActions(state)]).toEqual([outcome, 0]);
    expect(timed.isLegal(state, timed.parseAction('F2-D3'))).toBe(false);
    timed.spendTime!(state, 1);
    expect(timed.formatPosition(state)).toMatch(/ 0( 180)?$/);
    expect(timed.outcome(timed.parsePosition(timed.formatPosition(state)))).toBe(outcome);
    if (moves === '') return;
    timed.undo(state);
    expect([timed.outcome(state), timed.formatPosition(state)]).toEqual([null, `${START} l 0 180 180`]);
  });

  test.each([
    ['won by the zone', 'B4-B5', '6/3T2/5T/6/6/1t1t1c l 20 5 4', 1],
    ['drawn', 'D4-D5', '6/6/6/3Sc1/6/5t l 9 5 5', 0],
  ])('a game %s uses no more time', (_how, moves, position, outcome) => {
    const state = after(moves, position, timed);
    const before = timed.formatPosition(state);
    timed.spendTime!(state, 100);
    expect([timed.outcome(state), timed.formatPosition(state)]).toEqual([outcome, before]);
  });

  test('a draw does not save a player whose clock ran out', () => {
    expect(timed.outcome(timed.parsePosition('s5/6/6/6/6/5S l 40 0 3'))).toBe(-1);
    expect(timed.outcome(timed.parsePosition('s5/6/6/6/6/5S l 40 3 0'))).toBe(1);
  });

  test.each([
    ['5', '5', 0],
    ['5.001', '5', 1],
    ['4.999', '5', -1],
  ])('with one piece a side, %s against %s seconds', (light, dark, outcome) => {
    expect(outcomeAfter('D4-D5', `6/6/6/3Sc1/6/5t l 9 ${light} ${dark}`, timed)).toBe(outcome);
  });

  test('the time of the last capture counts in that draw', () => {
    const state = timed.parsePosition('6/6/6/3Sc1/6/5t l 9 5 4.5');
    timed.spendTime!(state, 1);
    timed.apply(state, timed.parseAction('D4-D5'));
    expect(timed.outcome(state)).toBe(-1);
  });

  test('planes, bytes and the observation hash depend on it, the board’s hash does not', () => {
    const [one, two] = ['180 90', '180 91'].map((clocks) => timed.parsePosition(`${START} l 0 ${clocks}`));
    const planes = new Float32Array(6 * 6 * 20);
    timed.observe(one!, planes, 0);
    expect([...planes.slice(16, 19)]).toEqual([1, 0.5, 1]);
    timed.observe(one!, planes, 0, 1);
    expect([...planes.slice(16, 19)]).toEqual([0.5, 1, 1]);
    expect(timed.observationHash(one!)).not.toBe(timed.observationHash(two!));
    expect(timed.hash(one!)).toBe(timed.hash(two!));
    const packed = new Uint8Array(timed.packedSize);
    timed.pack(one!, packed, 0);
    const copy = timed.initialState();
    timed.unpack(packed, 0, copy);
    expect(timed.formatPosition(copy)).toBe(`${START} l 0 180 90`);
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
