import { expect, test } from 'vitest';
import { isLong } from '../../long-tests.js';
import { createGess } from '../../../env/gess/gess.js';
import { type GessPosition, RECORD_SIZE } from '../../../env/gess/gess-position.js';
import { createRng, type Rng } from '../../../env/random.js';
import type { Game } from '../../../env/game.js';

const PLIES = isLong ? 1000 : 300;

/**
 * All fields of a position, with only the used records; arrays as strings of their bytes, which are quick to
 * compare.
 */
function bytes(position: GessPosition): unknown {
  const records = position.records.subarray(0, position.historyLength * RECORD_SIZE);
  const fields = Object.entries({ ...position, records }).map(([name, value]: [string, unknown]) => [
    name,
    ArrayBuffer.isView(value)
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')
      : structuredClone(value),
  ]);
  return Object.fromEntries(fields) as unknown;
}

/** Plays a random move that does not end the game; false if it found none. */
function wander(game: Game<GessPosition>, position: GessPosition, rng: Rng): boolean {
  const actions = new Int32Array(game.maxLegalActions);
  const count = game.legalActions(position, actions);
  const first = rng.integer(count);
  for (let i = 0; i < count; i++) {
    game.apply(position, actions[(first + i) % count]!);
    if (game.outcome(position) === null) return true;
    game.undo(position);
  }
  return false;
}

test.each([
  'eureka',
  'wikipedia',
  'wikipedia,edge=strict',
  'gach',
  'sgf',
  'osu',
  'eureka,suicide=illegal,ko=superko',
  'eureka,ko=simple',
])(`undo through ${PLIES} plies under %s restores every byte`, (rules) => {
  const game = createGess({ rules });
  const position = game.initialState();
  const rng = createRng(3, rules);
  const portraits: unknown[] = [];
  for (let ply = 0; ply < PLIES; ply++) {
    if (ply % 20 === 0) portraits.push(bytes(position));
    expect(wander(game, position, rng)).toBe(true);
  }
  for (let ply = PLIES - 1; ply >= 0; ply--) {
    game.undo(position);
    if (ply % 20 === 0) expect(bytes(position)).toEqual(portraits.pop());
  }
  expect(bytes(position)).toEqual(bytes(game.initialState()));
});
