import { describe, expect, test } from 'vitest';
import { isLong } from '../long-tests.js';
import { createAgent } from '../../agents/create-agent.js';
import { listActions, outcomeTo } from '../../env/game.js';
import { createGame } from '../../env/games.js';
import { createRng } from '../../env/random.js';
import { problemsOfGame } from '../../session/winning-problems.js';
import { WinningMoves } from '../../session/winning-moves.js';
import list from '../../web/rooms/problems/gess-problems.json' with { type: 'json' };

describe('the problems of the page', () => {
  const game = createGame(list.game, list.rules);
  const wins = new WinningMoves(game);

  test('are at least 50 different positions, of both lengths', () => {
    expect(list.problems.length).toBeGreaterThanOrEqual(50);
    expect(new Set(list.problems.map(({ position }) => position)).size).toBe(list.problems.length);
    expect(new Set(list.problems.map(({ moves }) => moves))).toEqual(new Set([1, 2]));
  });

  test('have one move that wins in the stated number of moves', () => {
    const problems = list.problems.filter((_, index) => isLong || index % 10 === 0);
    for (const { position, move, moves } of problems) {
      const state = game.parsePosition(position);
      const names = (moves === 1 ? wins.inOne(state) : wins.inTwo(state)).map((action) =>
        game.formatAction(action),
      );
      expect(names, position).toEqual([move]);
      if (moves === 2) expect(wins.inOne(state)).toEqual([]);
      expect(game.formatPosition(state)).toBe(position);
    }
  });
});

test('wins in one and two moves in Connect Four are those of a plain search', async () => {
  const game = createGame('connect-four');
  const wins = new WinningMoves(game);
  /** Whether the player to move wins within this many own moves. */
  const canWin = (state: unknown, moves: number): boolean =>
    moves > 0 && listActions(game, state).some((action) => winsBy(state, action, moves));
  const winsBy = (state: unknown, action: number, moves: number): boolean => {
    const player = game.currentPlayer(state);
    const after = game.clone(state);
    game.apply(after, action);
    const outcome = game.outcome(after);
    if (outcome !== null) return outcomeTo(player, outcome) === 1;
    return listActions(game, after).every((reply) => {
      const next = game.clone(after);
      game.apply(next, reply);
      return game.outcome(next) === null && canWin(next, moves - 1);
    });
  };
  const agent = await createAgent('random', game);
  let found = 0;
  for (let seed = 0; seed < 60; seed++) {
    const state = game.initialState();
    const rng = createRng(seed);
    for (let ply = 0; ply < 16 && game.outcome(state) === null; ply++) {
      const actions = Array.from(listActions(game, state));
      expect(wins.inOne(state)).toEqual(actions.filter((action) => winsBy(state, action, 1)));
      expect(wins.inTwo(state)).toEqual(actions.filter((action) => winsBy(state, action, 2)));
      found += wins.inTwo(state).length;
      const [choice] = await agent.chooseAll([{ state, rng }]);
      game.apply(state, choice!.action);
    }
  }
  expect(found).toBeGreaterThan(20);
});

test('a game without an end has no problems', async () => {
  const game = createGame('gess');
  const state = game.initialState();
  const agent = await createAgent('careful', game);
  for (let ply = 0; ply < 4; ply++) {
    const [choice] = await agent.chooseAll([{ state, rng: createRng(ply) }]);
    game.apply(state, choice!.action);
  }
  expect(problemsOfGame(game, state)).toEqual([]);
});
