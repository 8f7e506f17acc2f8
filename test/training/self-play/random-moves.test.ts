import { expect, test } from 'vitest';
import { encodeShard } from '../../../data/shards/shard-encoding.js';
import { decodeShard } from '../../../data/shards/shard-decoding.js';
import type { Sample } from '../../../data/shards/sample.js';
import { createGame } from '../../../env/games.js';
import { SelfPlayConfig } from '../../../training/config/groups/self-play-config.js';
import { shardOf } from '../../../training/self-play/shard-content.js';
import { playSelfPlayGames } from '../../../training/self-play/self-play.js';
import type { FinishedGame } from '../../../training/self-play/training-game.js';
import { HashEvaluator } from '../../agents/evaluators/hash-evaluator.js';

const ORIGIN = { seed: 3, generation: 0, sourceDigest: '0'.repeat(64), softwareVersion: '1.0.0' };
const GAME = createGame('connect-four', 'default');

function play(changes: Partial<SelfPlayConfig> = {}): Promise<readonly FinishedGame[]> {
  const config = { ...SelfPlayConfig.parse({ search: { simulations: 12 }, randomPlies: 4 }), ...changes };
  return playSelfPlayGames({ game: GAME, config, seed: 3 }, { firstGame: 0, games: 60 }, new HashEvaluator());
}

/** Number of plies between a row and the next one of its game that have no rows. */
function gapAfter(samples: readonly Sample[], row: number): number {
  return row + 1 < samples.length ? samples[row + 1]!.ply - samples[row]!.ply - 1 : 0;
}

test('random moves are no rows; earlier rows have no result, later ones have that of the game', async () => {
  const games = await play({ randomMoveShare: 0.2 });
  let [gaps, plies, resultless] = [0, 0, 0];
  for (const { samples, statistics } of games) {
    const lastGap = samples.findLastIndex((_, row) => gapAfter(samples, row) > 0);
    const winner = statistics.wins - statistics.losses;
    for (const [row, { player, result }] of samples.entries()) {
      const known = player === 0 ? winner : 0 - winner;
      // A random move just after the opening leaves no gap, and no row before it.
      expect(result, `row ${row}`).toBe(row <= lastGap ? null : known);
    }
    gaps += samples.reduce((sum, _, row) => sum + gapAfter(samples, row), 0);
    plies += statistics.plies - samples[0]!.ply;
    resultless += lastGap + 1;
  }
  expect(gaps / plies).toBeGreaterThan(0.1);
  expect(gaps / plies).toBeLessThan(0.3);
  expect(resultless).toBeGreaterThan(plies / 4);
});

test('the move after a random one is searched in full', async () => {
  const games = await play({ randomMoveShare: 0.2, fullSearchShare: 0.25, cheapSimulations: 3 });
  for (const { samples } of games) {
    for (const [row, { policyWeight }] of samples.entries()) {
      if (row > 0 && gapAfter(samples, row - 1) > 0) expect(policyWeight).toBe(1);
    }
  }
  const all = games.flatMap(({ samples }) => samples);
  const full = all.filter(({ policyWeight }) => policyWeight === 1).length;
  expect(full / all.length).toBeLessThan(0.6);
});

test('a share of 0 plays the games without the setting', async () => {
  expect(await play({ randomMoveShare: 0 })).toEqual(await play());
});

test('a random move never ends a game, and is followed by a searched one', async () => {
  for (const { samples, statistics } of await play({
    randomMoveShare: 1,
    fullSearchShare: 0,
    cheapSimulations: 3,
  })) {
    expect(samples.at(-1)!.pliesLeft).toBe(1);
    expect(samples.length).toBeGreaterThanOrEqual(Math.floor((statistics.plies - 4) / 2));
    for (const [row, { policyWeight }] of samples.entries()) {
      expect(policyWeight).toBe(1);
      expect(gapAfter(samples, row)).toBeLessThanOrEqual(1);
    }
  }
});

test('shards with random moves are sound', async () => {
  const { columns, metadata } = shardOf(GAME, ORIGIN, await play({ randomMoveShare: 0.2 }));
  expect(() => decodeShard('shard', encodeShard(columns, metadata))).not.toThrow();
});
