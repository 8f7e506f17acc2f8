import { describe, expect, test } from 'vitest';
import { createQuess } from '../../../env/quess/quess.js';
import { createRng } from '../../../env/random.js';
import { nameOutcome } from '../../../env/replay/replay.js';
import { listActions } from '../../../env/game.js';
import {
  readReference,
  type ReferenceGame,
  referenceMoves,
  referenceOutcome,
  writeReference,
} from './quess-reference.js';

/**
 * Number of positions to compare; more by `QUESS_POSITIONS=100000 npx vitest run
 * test/env/quess/quess-reference.test.ts`.
 */
const POSITIONS = Number(process.env['QUESS_POSITIONS'] ?? 4000);

const game = createQuess();

/** Few pieces, so that boards recur, and draws and positions without a move happen. */
const END_GAMES = [
  '6/2s3/6/6/3S2/6 l 0',
  '6/2c3/6/6/3T2/6 d 7',
  't5/6/6/6/6/5T l 0',
  'T5/t5/6/6/6/6 d 40',
  '1c4/6/2t3/3T2/6/4C1 l 12',
  '6/1s4/2t3/3S2/4T1/6 d 3',
  'Tt4/1t4/6/6/6/6 d 30',
  'C4s/6/t5/6/6/5S l 9',
  '4T1/6/6/t4S/6/1c4 d 5',
  'ST4/T5/6/6/5t/4ts l 0',
];

/** Plays one random game in both engines; returns the number of compared positions and the result. */
function compareGame(
  text: string,
  seed: number,
  limit: number,
): { compared: number; outcome: string | null } {
  const rng = createRng(seed, 'quess');
  const state = game.parsePosition(text);
  let reference: ReferenceGame = readReference(text);
  for (let compared = 1; ; compared++) {
    const moves = referenceMoves(reference);
    const outcome = nameOutcome(game, state);
    expect(game.formatPosition(state)).toBe(writeReference(reference));
    expect(outcome).toBe(referenceOutcome(reference));
    const actions = listActions(game, state);
    const texts = Array.from(actions, (action) => game.formatAction(action));
    expect([...texts].sort()).toEqual([...moves.keys()].sort());
    expect(game.countLegalActions(state)).toBe(moves.size);
    if (actions.length === 0 || compared === limit) return { compared, outcome };
    const move = texts[rng.integer(texts.length)]!;
    game.apply(state, game.parseAction(move));
    reference = moves.get(move)!;
  }
}

describe('the fast engine and the literal one agree, move by move', () => {
  test('in games from the start', { timeout: 600_000 }, () => {
    for (let left = POSITIONS / 2, seed = 0; left > 0; seed++) {
      left -= compareGame('3tcs/4tc/5t/T5/CT4/SCT3 l 0', seed, 400).compared;
    }
  });

  test('in end games, with every kind of end', { timeout: 600_000 }, () => {
    const ends = new Map<string | null, number>();
    for (let left = POSITIONS / 2, seed = 0; left > 0; seed++) {
      const { compared, outcome } = compareGame(END_GAMES[seed % END_GAMES.length]!, seed, 150);
      left -= compared;
      ends.set(outcome, (ends.get(outcome) ?? 0) + 1);
    }
    expect([...ends.keys()]).toEqual(expect.arrayContaining(['light', 'dark', 'draw']));
  });
});
