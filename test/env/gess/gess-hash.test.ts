import { expect, test } from 'vitest';
import { createGess } from '../../../env/gess/gess.js';
import { RECORD_HASH_HIGH, RECORD_HASH_LOW, RECORD_SIZE } from '../../../env/gess/gess-position.js';
import { createRng } from '../../../env/random.js';
import { positionAfter } from '../../../env/replay/replay.js';
import { listActions } from '../../../env/game.js';
import { boardText, stonesOf } from './gess-boards.js';
import { ringsAndStones } from './gess-positions.js';

const gess = createGess();

/** Positions with captures of stones of both sides, at edges and elsewhere. */
function positions(count: number): string[] {
  const rng = createRng(6, 'hash');
  return Array.from({ length: count }, () => ringsAndStones(10 + rng.integer(30), rng));
}

function hashOf(text: string): number {
  return gess.hash(gess.parsePosition(text));
}

test('the hash depends on the player to move', () => {
  for (const text of positions(20)) {
    const [board = '', player] = text.split(' ');
    expect(hashOf(`${board} ${player === 'b' ? 'w' : 'b'} 0`)).not.toBe(hashOf(text));
  }
});

test('the hash distinguishes black from white stones', () => {
  for (const text of positions(20)) {
    const stones = stonesOf(text).map(({ color, square }) => ({
      color: color === 'b' ? ('w' as const) : ('b' as const),
      square,
    }));
    expect(hashOf([boardText(stones), ...text.split(' ').slice(1)].join(' '))).not.toBe(hashOf(text));
  }
});

test('after every move, captures included, the updated hash is that of the board', () => {
  let captures = 0;
  for (const text of positions(10)) {
    const state = gess.parsePosition(text);
    const other = state.player === 0 ? 'w' : 'b';
    const count = (board: string): number => stonesOf(board).filter(({ color }) => color === other).length;
    for (const action of listActions(gess, state)) {
      gess.apply(state, action);
      const after = gess.formatPosition(state);
      expect(gess.hash(state)).toBe(hashOf(after));
      if (count(after) < count(text)) captures += 1;
      gess.undo(state);
    }
    expect(gess.hash(state)).toBe(hashOf(text));
  }
  expect(captures).toBeGreaterThan(100);
});

test('a board with an equal hash does not bar another board', () => {
  const superko = createGess({ rules: 'eureka,ko=superko' });
  const state = positionAfter(superko, { moves: 'c6-c7 c15-c14 c9-c8' });
  const action = superko.parseAction('c14-c13');
  superko.apply(state, action);
  const after = superko.parsePosition(superko.formatPosition(state));
  superko.undo(state);
  // The start, with White's stones as now, gets the hash of the board after `action`.
  state.records[RECORD_HASH_LOW] = after.hashLow;
  state.records[RECORD_HASH_HIGH] = after.hashHigh;
  expect(superko.isLegal(state, action)).toBe(true);
  // So does the board after the first move, with the other player to move.
  superko.apply(state, action);
  state.records[RECORD_SIZE + RECORD_HASH_LOW] = state.hashLow;
  state.records[RECORD_SIZE + RECORD_HASH_HIGH] = state.hashHigh;
  superko.undo(state);
  expect(superko.isLegal(state, action)).toBe(true);
});
