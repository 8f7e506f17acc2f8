import { describe, expect, test } from 'vitest';
import { createGess } from '../../../env/gess/gess.js';
import type { GessPosition } from '../../../env/gess/gess-position.js';
import { positionAfter, replayMoves } from '../../../env/replay/replay.js';
import { listActions } from '../../../env/game.js';
import { boardText, ringAt, type Stone } from './gess-boards.js';

/** Row * 20 + column of a square such as `c4`. */
function square(name: string): number {
  return (Number(name.slice(1)) - 1) * 20 + name.charCodeAt(0) - 97;
}

/** A board with a ring of each side and the given stones. */
function rings(black: string, white: string, others: readonly Stone[] = []): string {
  return boardText([...ringAt('b', square(black)), ...ringAt('w', square(white)), ...others]);
}

const SHUFFLE = { position: `${rings('l3', 'l18')} b 0`, moves: 'l3-l4 l18-l17 l4-l3 l17-l18' };

describe('superko (docs/reference/rules.md 4.6)', () => {
  const superko = createGess({ rules: 'eureka,ko=superko' });

  test('bars the move that repeats the first board', () => {
    expect(replayMoves(superko, SHUFFLE)).toMatchObject({
      illegalPly: 3,
      reason: 'l17-l18 of white brings back the board of ply 0',
    });
    for (const rules of ['eureka', 'eureka,ko=simple']) {
      expect(replayMoves(createGess({ rules }), SHUFFLE).legal).toBe(true);
    }
  });

  test('bars a board regardless of the player to move', () => {
    // Black returns in three moves, White in two.
    const moves = 'l3-l4 l18-l17 l4-m4 l17-l18 m4-l3';
    expect(replayMoves(superko, { ...SHUFFLE, moves })).toMatchObject({ illegalPly: 4 });
  });

  test('is forgotten by undo and by the text of a position', () => {
    const state = positionAfter(superko, { ...SHUFFLE, moves: 'l3-l4 l18-l17 l4-l3' });
    const barred = superko.parseAction('l17-l18');
    expect(superko.isLegal(state, barred)).toBe(false);
    expect(superko.isLegal(superko.parsePosition(superko.formatPosition(state)), barred)).toBe(true);
    superko.undo(state);
    superko.apply(state, superko.parseAction('l4-l5'));
    expect(superko.isLegal(state, barred)).toBe(true);
  });

  test('lists and counts without the barred moves', () => {
    const state = positionAfter(superko, { ...SHUFFLE, moves: 'l3-l4 l18-l17 l4-l3' });
    const plain = createGess();
    const all = listActions(plain, positionAfter(plain, { ...SHUFFLE, moves: 'l3-l4 l18-l17 l4-l3' }));
    const barred = superko.parseAction('l17-l18');
    expect([...listActions(superko, state)]).toEqual([...all].filter((action) => action !== barred));
    expect(superko.countLegalActions(state)).toBe(all.length - 1);
  });

  test('makes a player without a legal move lose', () => {
    const cornered = {
      position: `${rings('c4', 'r18')} b 0`,
      moves: `c4-c5 r18-q18 c5-c6 q18-r18 c6-f6 r18-p18 f6-e5 p18-r18 e5-d4 r18-o18 d4-d3 o18-r18
        d3-e3 r18-r17 e3-f3 r17-r18 f3-g3 r18-r16 g3-d3 r16-r17 d3-c3 r17-r18`,
    };
    const result = replayMoves(createGess({ rules: 'osu,ko=superko' }), cornered);
    expect(result).toMatchObject({ legal: true, outcome: 'white' });
    expect(result.legalCounts.at(-1)).toBe(0);
    // Without superko the ring could go to nine places.
    expect(replayMoves(createGess({ rules: 'osu' }), cornered).legalCounts.at(-1)).toBe(9);
  });
});

/**
 * No game reaches a position in which simple ko bars a move (docs/reference/rules.md 4.5), so this history is made up:
 * White's ring stood on p8, and is on o8 although only Black has moved.
 */
function doctored(rules: string): GessPosition {
  const game = createGess({ rules });
  const stone: Stone = { color: 'b', square: square('e8') };
  const state = positionAfter(game, { position: `${rings('l3', 'p8', [stone])} b 0`, moves: 'd8-e8' });
  const now = game.parsePosition(`${rings('l3', 'o8', [stone])} w 1`);
  state.stones[0].set(now.stones[0]);
  state.stones[1].set(now.stones[1]);
  return Object.assign(state, { hashLow: now.hashLow, hashHigh: now.hashHigh });
}

describe('simple ko (docs/reference/rules.md 4.5)', () => {
  test.each([
    ['eureka', true],
    ['eureka,ko=simple', false],
    ['eureka,ko=superko', false],
  ])('under %s the board of two plies ago may recur: %s', (rules, isLegal) => {
    const game = createGess({ rules });
    const state = doctored(rules);
    const action = game.parseAction('o8-p8');
    expect(game.isLegal(state, action)).toBe(isLegal);
    expect(listActions(game, state).includes(action)).toBe(isLegal);
    expect(game.countLegalActions(state)).toBe(listActions(game, state).length);
  });

  test('allows older boards to recur', () => {
    const simple = createGess({ rules: 'eureka,ko=simple' });
    expect(replayMoves(simple, SHUFFLE).legal).toBe(true);
  });
});

test.each(['simple', 'superko'])('ko %s has its own plane', (ko) => {
  const game = createGess({ rules: `eureka,ko=${ko}` });
  const planes = new Float32Array(20 * 20 * 20);
  game.observe(game.initialState(), planes, 0);
  expect([planes[18], planes[19]]).toEqual(ko === 'simple' ? [1, 0] : [0, 1]);
});
