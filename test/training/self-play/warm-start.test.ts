import { beforeAll, describe, expect, test } from 'vitest';
import { createAgent } from '../../../agents/create-agent.js';
import { connectFour } from '../../../env/connect-four/connect-four.js';
import { createGame } from '../../../env/games.js';
import { WarmStartConfig } from '../../../training/config/groups/warm-start-config.js';
import type { FinishedGame } from '../../../training/self-play/training-game.js';
import { playWarmStartGames } from '../../../training/self-play/warm-start.js';

const config = WarmStartConfig.parse({ agent: 'alphabeta:depth=2', randomPlies: 5, randomMoveShare: 0.2 });

async function play(changes: Partial<WarmStartConfig> = {}, seed = 1): Promise<readonly FinishedGame[]> {
  const agent = await createAgent(config.agent, connectFour);
  const options = { config: { ...config, ...changes }, seed };
  return playWarmStartGames(agent, options, { firstGame: 10, games: 40 });
}

function rowsOf(games: readonly FinishedGame[]): FinishedGame['samples'] {
  return games.flatMap((game) => game.samples);
}

describe('a warm start', () => {
  let games: readonly FinishedGame[];

  beforeAll(async () => {
    games = await play();
  });

  test('has the agent’s moves as policy targets, and random moves without policy weight', () => {
    const rows = rowsOf(games);
    for (const { policy, policyWeight, rootValue } of rows) {
      expect([...policy].sort((a, b) => b - a).slice(0, 2)).toEqual([1, 0].slice(0, policy.length));
      expect(rootValue === null).toBe(policyWeight === 0);
      expect(Math.abs(rootValue ?? 0)).toBeLessThanOrEqual(1);
    }
    const random = rows.filter(({ policyWeight }) => policyWeight === 0).length;
    // Five standard deviations of a binomial distribution.
    expect(Math.abs(random / rows.length - 0.2)).toBeLessThan(5 * Math.sqrt(0.16 / rows.length));
  });

  test('adjudicates a game that has been quiet for too long, without the rows of its quiet end', async () => {
    const gess = createGame('gess');
    const agent = await createAgent('greedy', gess);
    const options = { config: { ...config, quietPlies: 3 }, seed: 1 };
    const played = await playWarmStartGames(agent, options, { firstGame: 0, games: 6 });
    expect(played.some(({ statistics }) => statistics.adjudicated === 1)).toBe(true);
    for (const { samples, statistics } of played) {
      expect(statistics).toMatchObject({ truncated: 0, learntPositions: samples.length });
      for (const { result, pliesLeft } of samples) {
        expect(result).not.toBeNull();
        if (statistics.adjudicated === 1) expect(pliesLeft).toBeGreaterThan(3);
      }
    }
  });

  test('has no random moves if their share is 0', async () => {
    for (const { policyWeight } of rowsOf(await play({ randomMoveShare: 0 }))) expect(policyWeight).toBe(1);
  });

  test('records the moves that were played', () => {
    for (const { samples } of games) {
      const state = connectFour.initialState();
      const next = new Uint8Array(connectFour.packedSize);
      for (const [index, sample] of samples.slice(0, -1).entries()) {
        connectFour.unpack(sample.position, 0, state);
        connectFour.apply(state, sample.actions[sample.policy.indexOf(1)]!);
        connectFour.pack(state, next, 0);
        expect(next).toEqual(samples[index + 1]!.position);
      }
    }
  });

  test('begins games with different openings that are not lost', () => {
    const starts = games.map(({ samples }) => samples[0]!);
    expect(new Set(starts.map(({ ply }) => ply))).toEqual(new Set([0, 1, 2, 3, 4, 5]));
    expect(new Set(starts.map(({ position }) => [...position].join(' '))).size).toBeGreaterThan(15);
    expect(starts.every(({ actions }) => actions.length > 0)).toBe(true);
  });

  test('plays every win in one', () => {
    const state = connectFour.initialState();
    for (const { samples } of games) {
      for (const { position, actions, policy, policyWeight, player } of samples) {
        if (policyWeight === 0) continue;
        connectFour.unpack(position, 0, state);
        const winning = [...actions].filter((action) => {
          connectFour.apply(state, action);
          const outcome = connectFour.outcome(state);
          connectFour.undo(state);
          return outcome === (player === 0 ? 1 : -1);
        });
        if (winning.length > 0) expect(winning).toContain(actions[policy.indexOf(1)]);
      }
    }
  });

  test('depends only on the seed', async () => {
    expect(await play()).toEqual(games);
    expect(await play({}, 2)).not.toEqual(games);
  });
});
