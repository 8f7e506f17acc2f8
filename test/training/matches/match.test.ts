import { expect, test } from 'vitest';
import { createAgent } from '../../../agents/create-agent.js';
import type { Agent, Turn } from '../../../agents/agent.js';
import { createGame } from '../../../env/games.js';
import { createRng } from '../../../env/random.js';
import { divideMatch, playMatchJob } from '../../../training/matches/match-job.js';
import { playMatch, summariseMatch } from '../../../training/matches/match.js';
import { drawOpening } from '../../../training/play/opening.js';

const game = createGame('connect-four');
const match = {
  game: { id: 'connect-four', rules: 'default' },
  agent: 'alphabeta:depth=3',
  opponent: 'random',
  games: 10,
  seed: 4,
  openingPlies: 3,
};

test('the stronger agent wins on either side', async () => {
  const result = summariseMatch([await playMatchJob({ ...match, firstPair: 0 })]);
  const reverse = summariseMatch([
    await playMatchJob({ ...match, agent: match.opponent, opponent: match.agent, firstPair: 0 }),
  ]);
  expect(result.wins).toBeGreaterThan(7);
  expect(result.wins + result.draws + result.losses).toBe(10);
  expect(result.eloLow).toBeGreaterThan(0);
  expect(reverse.losses).toBeGreaterThan(7);
});

test('a match in parts has the result of the whole', async () => {
  const whole = await playMatchJob({ ...match, firstPair: 0 });
  const parts = await Promise.all(divideMatch(match, 3).map((part) => playMatchJob(part)));
  expect(parts.flatMap(({ games }) => games)).toEqual(whole.games);
});

test('the two games of a pair have one opening and exchanged colours', async () => {
  const { games } = await playMatchJob({ ...match, firstPair: 7, games: 4 });
  expect(games.map(({ pair, agentPlayer }) => [pair, agentPlayer])).toEqual([
    [7, 0],
    [7, 1],
    [8, 0],
    [8, 1],
  ]);
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

test('openings leave the game open, and too long ones are refused', () => {
  const state = game.initialState();
  for (const action of drawOpening(game, createRng(1, 'test'), 8)) game.apply(state, action);
  expect(game.outcome(state)).toBeNull();
  expect(game.ply(state)).toBe(8);
  expect(() => drawOpening(game, createRng(1, 'test'), 60)).toThrow(
    expect.objectContaining({ code: 'opening-too-long' }) as Error,
  );
});
