import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Game, listActions } from '../../../env/game.js';
import { createQuess } from '../../../env/quess/quess.js';
import { EMPTY, TARGETS } from '../../../env/quess/quess-board.js';
import {
  chainOf,
  type QuessPosition,
  RECORD_HASH_HIGH,
  RECORD_HASH_LOW,
  RECORD_SIZE,
} from '../../../env/quess/quess-position.js';
import { createRng, type Rng } from '../../../env/random.js';
import { START, after, bytes, legalTexts, quess, reasonFor } from './quess-games.js';

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
