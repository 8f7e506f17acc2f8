import { expect, onTestFinished, test, vi } from 'vitest';
import type { Agent, Turn } from '../../../agents/agent.js';
import { createAgent } from '../../../agents/create-agent.js';
import { createGame } from '../../../env/games.js';
import { createRng } from '../../../env/random.js';
import { playMatch } from '../../../training/matches/match.js';
import type { MatchGame } from '../../../training/matches/match-game.js';
import { playGames } from '../../../training/matches/match-play.js';
import { planGames } from '../../../training/matches/openings-of-match.js';
import { drawOpening } from '../../../training/play/opening.js';

const game = createGame('connect-four');
const OPTIONS = { games: 10, seed: 4, openingPlies: 3 };

/** An agent that plays the first of these actions that is legal; `think` is called before each move. */
function fixedAgent(actions: readonly number[], think = (): void => undefined): Agent<unknown> {
  const choose = (turns: readonly Turn<unknown>[]): Promise<{ action: number }[]> => {
    think();
    return Promise.resolve(
      turns.map(({ state }) => ({ action: actions.find((action) => game.isLegal(state, action))! })),
    );
  };
  return { name: 'fixed', game, chooseAll: choose, dispose: () => Promise.resolve() };
}

/** Replaces the clock of a test by one that stands still; the returned function moves it on. */
function stoppedClock(): (ms: number) => void {
  let nowMs = 1000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  onTestFinished(() => {
    clock.mockRestore();
  });
  return (ms) => {
    nowMs += ms;
  };
}

test('the stronger agent wins on either side', async () => {
  const [strong, weak] = [await createAgent('alphabeta:depth=3', game), await createAgent('random', game)];
  const result = await playMatch(strong, weak, OPTIONS);
  const reverse = await playMatch(weak, strong, OPTIONS);
  expect(result.wins).toBeGreaterThan(7);
  expect(result.wins + result.draws + result.losses).toBe(10);
  expect(result.eloLow).toBeGreaterThan(0);
  expect(reverse.losses).toBeGreaterThan(7);
});

test('the two games of a pair have one opening and exchanged colours; a longer match begins alike', () => {
  const plans = planGames(game, { plies: 4 }, { pairs: 3, seed: 1 });
  expect(plans.map(({ pair, agentPlayer }) => [pair, agentPlayer])).toEqual([
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
    [2, 0],
    [2, 1],
  ]);
  expect(plans[0]!.opening).toEqual(plans[1]!.opening);
  expect(planGames(game, { plies: 4 }, { pairs: 5, seed: 1 }).slice(0, 6)).toEqual(plans);
});

test('the openings of a book are played in an order that depends on the seed, and then with further plies', () => {
  const openings = [[0], [1], [2], [3]];
  const book = { game: 'connect-four', rules: 'default', made: 'by hand', openings, digest: '' };
  const lines = (seed: number): readonly (readonly number[])[] =>
    planGames(game, { book }, { pairs: 6, seed }).flatMap(({ opening, agentPlayer }) =>
      agentPlayer === 0 ? [opening] : [],
    );
  expect(lines(1).slice(0, 4).map(String).sort()).toEqual(['0', '1', '2', '3']);
  expect([1, 2, 3].map((seed) => String(lines(seed).slice(0, 4)))).not.toEqual(
    [1, 1, 1].map((seed) => String(lines(seed).slice(0, 4))),
  );
  expect(lines(1)[4]!.slice(0, 1)).toEqual(lines(1)[0]);
  expect(lines(1)[4]).toHaveLength(3);
});

test.each([1, 3, 12])('the games are the same with %d games at once', async (atOnce) => {
  const agents = [await createAgent('mcts:simulations=8', game), await createAgent('careful', game)] as const;
  const plans = planGames(game, { plies: 3 }, { pairs: 6, seed: 2 });
  const play = async (most: number): Promise<readonly unknown[]> => {
    const ended: MatchGame[] = [];
    const options = { seed: 2, atOnce: most, forfeitMs: [null, null] } as const;
    await playGames(agents, plans, options, (each) => ended.push(each));
    const actions = ended.map(({ pair, agentPlayer, moves }) => [
      pair,
      agentPlayer,
      moves.map((m) => m.action),
    ]);
    return actions.map(String).sort();
  };
  expect(await play(atOnce)).toEqual(await play(5));
});

test('a move that exceeds the time limit and the margin loses the game', async () => {
  const pass = stoppedClock();
  const plans = planGames(game, { plies: 0 }, { pairs: 1, seed: 1 });
  const ended: MatchGame[] = [];
  const options = { seed: 1, atOnce: 1, forfeitMs: [20, null] } as const;
  const agents = [
    fixedAgent([0], () => {
      pass(21);
    }),
    fixedAgent([1], () => {
      pass(600_000);
    }),
  ] as const;
  await playGames(agents, plans, options, (each) => ended.push(each));
  expect(ended.map(({ end, points, moves }) => [end, points, moves.length])).toEqual([
    ['time', 0, 1],
    ['time', 0, 2],
  ]);
});

test('the time in which an agent gets ready for its turn does not count', async () => {
  const pass = stoppedClock();
  const plans = planGames(game, { plies: 0 }, { pairs: 1, seed: 1 });
  let preparations = 0;
  const slowStarter: Agent<unknown> = {
    ...fixedAgent([0]),
    prepare: () => {
      preparations += 1;
      pass(600);
      return Promise.resolve();
    },
  };
  const ended: MatchGame[] = [];
  const options = { seed: 1, atOnce: 1, forfeitMs: [550, null] } as const;
  await playGames([slowStarter, fixedAgent([1])], plans, options, (each) => ended.push(each));
  expect(preparations).toBe(8);
  expect(ended.map(({ end }) => end)).toEqual(['rules', 'rules']);
});

test('an agent that plays an illegal move is named', async () => {
  const cheat: Agent<unknown> = {
    name: 'cheat',
    game,
    chooseAll: (turns: readonly Turn<unknown>[]) => Promise.resolve(turns.map(() => ({ action: 7 }))),
    dispose: () => Promise.resolve(),
  };
  const opponent = await createAgent('random', game);
  await expect(playMatch(cheat, opponent, { games: 2, seed: 1, openingPlies: 0 })).rejects.toThrow('cheat');
});

test('openings do not end the game, and lengths that hardly any game reaches are refused', () => {
  const state = game.initialState();
  for (const action of drawOpening(game, createRng(1, 'test'), 8)) game.apply(state, action);
  expect(game.outcome(state)).toBeNull();
  expect(game.ply(state)).toBe(8);
  expect(() => drawOpening(game, createRng(1, 'test'), 60)).toThrow(
    expect.objectContaining({ code: 'opening-too-long' }) as Error,
  );
});
