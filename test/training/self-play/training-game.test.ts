import { describe, expect, test } from 'vitest';
import { isLearnt } from '../../../data/shards/sample.js';
import { createGame } from '../../../env/games.js';
import { TrainingGame } from '../../../training/self-play/training-game.js';

const game = createGame('connect-four');

/** A game whose rows have these values, to the player to move; nobody can have four in a row before ply 7. */
function recordOf(values: readonly number[], searchSize = 8): TrainingGame<unknown> {
  const record = new TrainingGame(game, 1);
  const actions = Uint16Array.from({ length: 7 }, (_, action) => action);
  for (const [column, rootValue] of values.entries()) {
    const policy = new Float32Array(7).fill(1 / 7);
    const decision = { actions, policy, policyWeight: 1, searchSize, surprise: 1, rootValue };
    record.playDecision(column, decision);
  }
  return record;
}

describe('an adjudicated game', () => {
  test.each([
    ['is won by the side that searches clearly favour', [0, 0.8, -0.9, 0.9], -1],
    ['is won by the first player in the same way', [0, -0.8, 0.9, -0.9], 1],
    ['is drawn if they favour neither side', [0, 0.4, -0.6, 0.5], 0],
    ['is drawn if they disagree', [0, 0.9, 0.9, 0.9], 0],
  ])('%s', (_name, values, outcome) => {
    const record = recordOf(values);
    expect(record.isOver).toBe(false);
    record.adjudicate(3);
    expect(record.isOver).toBe(true);
    const { samples, statistics } = record.finish(0);
    expect(samples.map(({ result }) => result)).toEqual([outcome, 0 - outcome, outcome, 0 - outcome]);
    expect(statistics).toMatchObject({ adjudicated: 1, truncated: 0, draws: outcome === 0 ? 1 : 0 });
  });

  test('is judged by its quiet plies alone', () => {
    const record = recordOf([1, -1, 0, 0]);
    record.adjudicate(2);
    expect(record.finish(0).statistics.draws).toBe(1);
  });

  test('has rows without weight since the last event', () => {
    const record = recordOf([0.1, 0.2, 0.3, 0.4]);
    record.adjudicate(2);
    const { samples, statistics } = record.finish(0);
    expect(samples.map(isLearnt)).toEqual([true, true, false, false]);
    expect(samples.map(({ surprise }) => surprise)).toEqual([1, 1, null, null]);
    expect(statistics).toMatchObject({ positions: 4, learntPositions: 2 });
  });

  test('has no rows of an agent without a search since the last event', () => {
    const record = recordOf([0.1, 0.2, 0.3, 0.4], 0);
    record.adjudicate(2);
    const { samples, statistics } = record.finish(0);
    expect(samples.map(({ ply }) => ply)).toEqual([0, 1]);
    expect(statistics).toMatchObject({ positions: 2, learntPositions: 2, adjudicated: 1 });
  });
});
