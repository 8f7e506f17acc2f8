import { describe, expect, test } from 'vitest';
import { SearchConfig } from '../../../agents/search-config.js';
import { UniformEvaluator } from '../../../agents/evaluators/uniform-evaluator.js';
import { isLearnt, type Sample } from '../../../data/shards/sample.js';
import { connectFour } from '../../../env/connect-four/connect-four.js';
import { createGame } from '../../../env/games.js';
import type { Game } from '../../../env/game.js';
import { SelfPlayConfig } from '../../../training/config/groups/self-play-config.js';
import type { FinishedGame } from '../../../training/self-play/training-game.js';
import { sumStatistics } from '../../../training/self-play/self-play-statistics.js';
import { playSelfPlayGames } from '../../../training/self-play/self-play.js';
import { HashEvaluator } from '../../agents/evaluators/hash-evaluator.js';

const config = SelfPlayConfig.parse({
  concurrentGames: 7,
  search: { simulations: 12 },
  randomPlies: 4,
  temperaturePlies: 10,
});

function play(
  changes: Partial<SelfPlayConfig> = {},
  range = { firstGame: 100, games: 20 },
): Promise<readonly FinishedGame[]> {
  const rules = { game: connectFour, config: { ...config, ...changes }, seed: 3 };
  return playSelfPlayGames(rules, range, new HashEvaluator());
}

/** Checks one game's rows against the rules, which must hold for every game, whoever played it. */
function expectSound<State>(game: Game<State>, { samples, statistics, gameId }: FinishedGame): void {
  const legal = new Int32Array(game.maxLegalActions);
  const state = game.initialState();
  for (const [row, sample] of samples.entries()) {
    game.unpack(sample.position, 0, state);
    expect(game.currentPlayer(state)).toBe(sample.player);
    expect(sample.actions).toEqual(Uint16Array.from(legal.subarray(0, game.legalActions(state, legal))));
    expect(sample.policy.length).toBe(sample.actions.length);
    expect(sample.policy.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 5);
    expect(Math.abs(sample.rootValue ?? 0)).toBeLessThanOrEqual(1);
    expect(sample.pliesLeft).toBe(statistics.plies - sample.ply);
    expect(sample.ply).toBe(samples[0]!.ply + row);
    expect(sample.gameId).toBe(gameId);
    expect(sample.surprise === null).toBe(sample.policyWeight === 0);
    expect(sample.surprise ?? 0).toBeGreaterThanOrEqual(0);
    game.apply(state, sample.played!);
    const after = new Uint8Array(game.packedSize);
    game.pack(state, after, 0);
    const next = samples[row + 1]?.position;
    expect(after).toEqual(next ?? sample.finalPosition);
    expect(sample.finalPosition).toEqual(samples[0]!.finalPosition);
  }
  expect(statistics.positions).toBe(samples.length);
}

/** The result of a game to player 0, from any of its rows. */
function resultToFirst(sample: Sample): number | null {
  return sample.result === null ? null : sample.player === 0 ? sample.result : 0 - sample.result;
}

describe('self-play', () => {
  test('produces legal rows, with one result per game', async () => {
    const games = await play();
    expect(games.map((game) => game.gameId)).toEqual(Array.from({ length: 20 }, (_, index) => 100 + index));
    for (const game of games) {
      expectSound(connectFour, game);
      expect(game.samples.length).toBeGreaterThan(0);
      expect(new Set(game.samples.map(resultToFirst)).size).toBe(1);
    }
    const statistics = sumStatistics(games.map((game) => game.statistics));
    expect(statistics.wins + statistics.draws + statistics.losses).toBe(20);
    expect(statistics.evaluations).toBeGreaterThan(statistics.positions);
  });

  test('ends with the winning move, with results from the view of the mover', async () => {
    for (const { samples, statistics } of await play()) {
      if (statistics.draws === 1) continue;
      const last = samples.at(-1)!;
      expect(last.pliesLeft).toBe(1);
      expect(last.result).toBe(1);
      const state = connectFour.initialState();
      connectFour.unpack(last.position, 0, state);
      const winning = [...last.actions].filter((action) => {
        connectFour.apply(state, action);
        const outcome = connectFour.outcome(state);
        connectFour.undo(state);
        return outcome === (last.player === 0 ? 1 : -1);
      });
      expect(winning.length).toBeGreaterThan(0);
      // A search that found the win plays nothing else; any other search won by chance.
      if (last.rootValue === 1) {
        const total = last.policy.reduce(
          (sum, share, index) => sum + (winning.includes(last.actions[index]!) ? share : 0),
          0,
        );
        expect(total).toBeCloseTo(1, 6);
      }
    }
  });

  test.each([
    ['fewer games at once', { concurrentGames: 1 }],
    ['more games at once', { concurrentGames: 64 }],
    ['other batches', { batchSize: 3 }],
  ])('plays the same games with %s', async (_name, changes) => {
    expect(await play(changes)).toEqual(await play());
  });

  test('plays the same games in two parts', async () => {
    const parts = [
      ...(await play({}, { firstGame: 100, games: 9 })),
      ...(await play({}, { firstGame: 109, games: 11 })),
    ];
    expect(parts).toEqual(await play());
  });

  test('plays different games for different numbers and seeds', async () => {
    const games = await play();
    const texts = games.map((game) => game.samples.map((sample) => [...sample.position].join(' ')).join('|'));
    expect(new Set(texts).size).toBe(20);
    const rules = { game: connectFour, config, seed: 4 };
    const others = await playSelfPlayGames(rules, { firstGame: 100, games: 20 }, new HashEvaluator());
    expect(others).not.toEqual(games);
  });

  test('has policy weight 0 for cheaply searched moves', async () => {
    const games = await play({ fullSearchShare: 0.25, cheapSimulations: 3 });
    const rows = games.flatMap(({ samples }) => samples);
    for (const game of games) expectSound(connectFour, game);
    for (const { policyWeight, searchSize } of rows) expect(searchSize).toBe(policyWeight === 1 ? 12 : 3);
    const full = rows.filter(({ policyWeight }) => policyWeight === 1).length;
    expect(full / rows.length).toBeGreaterThan(0.15);
    expect(full / rows.length).toBeLessThan(0.35);
    const effort = (all: readonly FinishedGame[]): number => {
      const { evaluations, positions } = sumStatistics(all.map(({ statistics }) => statistics));
      return evaluations / positions;
    };
    expect(effort(games)).toBeLessThan(0.6 * effort(await play()));
  });

  test.each(['puct', 'gumbel'] as const)(
    'plays the same games in other batches with a %s root',
    async (root) => {
      const search = SearchConfig.parse({ root, simulations: 12 });
      const changes = { search, fullSearchShare: 0.5, cheapSimulations: 4 };
      const games = await play(changes);
      for (const game of games) expectSound(connectFour, game);
      expect(await play({ ...changes, concurrentGames: 2 })).toEqual(games);
    },
  );

  test('samples late moves at the final temperature', async () => {
    const search = SearchConfig.parse({ simulations: 12 });
    const quiet = { search, randomPlies: 0, temperaturePlies: 0, noiseFraction: 0 };
    const openings = async (changes: Partial<SelfPlayConfig>): Promise<number> => {
      const games = await play({ ...quiet, ...changes });
      return new Set(games.map(({ samples }) => [...samples[4]!.position].join(' '))).size;
    };
    // Without randomness all games are the same.
    expect(await openings({})).toBe(1);
    expect(await openings({ finalTemperature: 1 })).toBeGreaterThan(10);
  });

  test('chooses late moves without the noise of a Gumbel root', async () => {
    const search = SearchConfig.parse({ root: 'gumbel', simulations: 12 });
    const bestShare = async (temperaturePlies: number): Promise<number> => {
      const changes = { search, temperaturePlies, gumbelScale: 10 };
      const rows = (await play(changes)).flatMap(({ samples }) => samples);
      const isBest = ({ actions, policy, played }: Sample): boolean =>
        policy[actions.indexOf(played!)] === Math.max(...policy);
      return rows.filter(isBest).length / rows.length;
    };
    expect(await bestShare(0)).toBeGreaterThan(0.1 + (await bestShare(100)));
  });

  test('plays what a cheap search found, even if an earlier search visited another move more often', async () => {
    const search = SearchConfig.parse({
      root: 'gumbel',
      simulations: 200,
      rescaleValues: false,
      valueScale: 1,
    });
    const changes = { search, fullSearchShare: 0.5, cheapSimulations: 24, temperaturePlies: 0 };
    const games = await play(changes, { firstGame: 0, games: 8 });
    const cheap = games.flatMap(({ samples }) => samples.filter(({ searchSize }) => searchSize === 24));
    const isBest = ({ actions, policy, played }: Sample): boolean =>
      policy[actions.indexOf(played!)] === Math.max(...policy);
    // With the visits of all searches, it would be less than half of the moves.
    expect(cheap.filter(isBest).length / cheap.length).toBeGreaterThan(0.75);
  });

  test('adjudicates a game that has been quiet for too long', async () => {
    const gess = createGame('gess');
    const quiet = { ...config, randomPlies: 0, quietPlies: 3, search: { ...config.search, simulations: 2 } };
    const rules = { game: gess, config: quiet, seed: 1 };
    const games = await playSelfPlayGames(rules, { firstGame: 0, games: 4 }, new HashEvaluator());
    for (const game of games) expectSound(gess, game);
    const statistics = sumStatistics(games.map((game) => game.statistics));
    expect(statistics.adjudicated).toBeGreaterThan(0);
    expect(statistics.truncated).toBe(0);
    expect(statistics.longestPlies).toBeLessThan(100);
    const rows = games.flatMap(({ samples }) => samples);
    expect(rows.filter(({ result }) => result === null)).toEqual([]);
    expect(statistics.learntPositions).toBe(rows.filter(isLearnt).length);
    expect(statistics.learntPositions).toBeLessThan(rows.length);
  });

  test('has no result for a game that reaches the ply limit', async () => {
    const short: typeof connectFour = { ...connectFour, plyLimit: 6 };
    const rules = { game: short, config, seed: 3 };
    const games = await playSelfPlayGames(rules, { firstGame: 0, games: 5 }, new HashEvaluator());
    const statistics = sumStatistics(games.map((game) => game.statistics));
    // Nobody can have four in a row before ply 7.
    expect(statistics).toMatchObject({ truncated: 5, longestPlies: 6, shortestPlies: 6, wins: 0, losses: 0 });
    for (const game of games) {
      for (const sample of game.samples) expect(sample.result).toBeNull();
      expectSound(short, game);
    }
  });

  test('samples early moves at the initial temperature', async () => {
    const distinct = async (temperaturePlies: number): Promise<number> => {
      const quiet = { ...config, temperaturePlies, noiseFraction: 0, randomPlies: 0 };
      const rules = { game: connectFour, config: quiet, seed: 3 };
      const games = await playSelfPlayGames(rules, { firstGame: 0, games: 12 }, new HashEvaluator());
      return new Set(games.map(({ samples }) => samples.map(({ played }) => played).join())).size;
    };
    expect(await distinct(0)).toBe(1);
    expect(await distinct(4)).toBeGreaterThan(3);
  });

  test('samples openings at their temperature', async () => {
    // Share of the most frequent of the seven first moves.
    const greatestShare = async (openingTemperature: number): Promise<number> => {
      const games = await play({ randomPlies: 1, openingTemperature }, { firstGame: 0, games: 400 });
      const opened = games.flatMap(({ samples }) => (samples[0]!.ply === 1 ? [samples[0]!] : []));
      const counts = new Map<string, number>();
      for (const { position } of opened) {
        const key = position.join(' ');
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      return Math.max(...counts.values()) / opened.length;
    };
    const shares = [await greatestShare(0.1), await greatestShare(1), await greatestShare(1000)];
    expect(shares[0]).toBeGreaterThan(0.8);
    expect(shares[2]).toBeLessThan(0.25);
    expect(shares).toEqual(shares.toSorted((a, b) => b - a));
  });

  test('never ends a game of Gess in its opening, although most random moves lose at once', async () => {
    const gess = createGame('gess');
    const short = { ...gess, plyLimit: 9 };
    const gessConfig = { ...config, randomPlies: 8, search: { ...config.search, simulations: 2 } };
    const rules = { game: short, config: gessConfig, seed: 1 };
    const games = await playSelfPlayGames(rules, { firstGame: 0, games: 12 }, new UniformEvaluator());
    for (const game of games) {
      expect(game.samples.length).toBeGreaterThan(0);
      expectSound(short, game);
    }
    expect(Math.max(...games.map((game) => game.samples[0]!.ply))).toBeGreaterThan(4);
  });
});
