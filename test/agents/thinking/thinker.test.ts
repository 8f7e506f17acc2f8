import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createAgent } from '../../../agents/create-agent.js';
import { createThinker } from '../../../agents/thinking/create-thinker.js';
import type { ThinkingLimits, Thought } from '../../../agents/thinking/thinking.js';
import { connectFour } from '../../../env/connect-four/connect-four.js';
import type { Action, Game } from '../../../env/game.js';
import { createGess } from '../../../env/gess/gess.js';
import { createRng } from '../../../env/random.js';

const never = (): boolean => false;

/** Plays `plies` moves from the start; each is chosen by `choose`. */
async function play<State>(
  game: Game<State>,
  plies: number,
  choose: (state: State) => Promise<Action>,
): Promise<string> {
  const state = game.initialState();
  const moves: string[] = [];
  for (let ply = 0; ply < plies && game.outcome(state) === null; ply++) {
    const action = await choose(state);
    moves.push(game.formatAction(action));
    game.apply(state, action);
  }
  return moves.join(' ');
}

async function think<State>(
  game: Game<State>,
  text: string,
  { limits, lines = 1 }: { limits?: ThinkingLimits; lines?: number } = {},
): Promise<Thought> {
  const thinker = await createThinker(text, game);
  thinker.newGame(createRng(1));
  return thinker.think(game.initialState(), {
    limits: limits ?? thinker.limits,
    lines,
    shouldStop: never,
  });
}

describe.each([
  'alphabeta:depth=3',
  'alphabeta:nodes=500',
  'mcts:simulations=40,rollouts=1',
  'mcts:simulations=40,temperature=1',
  'mcts:root=gumbel,simulations=32',
  'greedy',
  'random',
])('%s', (text) => {
  test('chooses the moves of the agent', async () => {
    const game = connectFour;
    const agent = await createAgent(text, game);
    const rng = createRng(7);
    const played = await play(game, 12, async (state) => {
      const [choice] = await agent.chooseAll([{ state, rng }]);
      return choice!.action;
    });
    const thinker = await createThinker(text, game);
    thinker.newGame(createRng(7));
    const thought = await play(game, 12, async (state) => {
      const options = { limits: thinker.limits, shouldStop: never };
      return (await thinker.think(state, options)).candidates[0]!.action;
    });
    expect(thought).toBe(played);
  });
});

test.each(['alphabeta:depth=30', 'mcts:simulations=1000000', 'solver'])(
  '%s stops when asked',
  async (text) => {
    const thinker = await createThinker(text, connectFour);
    thinker.newGame(createRng(1));
    let asked = 0;
    const { candidates } = await thinker.think(connectFour.initialState(), {
      limits: {},
      shouldStop: () => ++asked > 20,
    });
    expect(connectFour.isLegal(connectFour.initialState(), candidates[0]!.action)).toBe(true);
    expect(asked).toBeLessThan(30);
  },
);

test('a limit of nodes ends a tree search in which most lines reach the ply limit', async () => {
  const { simulations } = await think(createGess({ plyLimit: 1 }), 'mcts:nodes=50');
  expect(simulations).toBeGreaterThan(0);
  expect(simulations).toBeLessThanOrEqual(50);
});

test('a Gumbel root schedules its simulations where only the nodes are limited', async () => {
  const text = 'mcts:root=gumbel,simulations=64,rollouts=1';
  const limits = { nodes: 1000 };
  const { simulations, candidates } = await think(connectFour, text, { limits, lines: 7 });
  expect(simulations).toBe(64);
  const visits = candidates.map((candidate) => candidate.visits!);
  expect(Math.max(...visits)).toBeGreaterThan(2 * Math.min(...visits));
});

test('reports of a tree search do not change its moves, which are drawn', async () => {
  const text = 'mcts:simulations=40,rollouts=1,temperature=1';
  const now = performance.now.bind(performance);
  let reports = 0;
  const movesWith = async (onThought?: () => void): Promise<string> => {
    const thinker = await createThinker(text, connectFour);
    thinker.newGame(createRng(7));
    return play(connectFour, 8, async (state) => {
      const options = { limits: thinker.limits, shouldStop: never, ...(onThought && { onThought }) };
      return (await thinker.think(state, options)).candidates[0]!.action;
    });
  };
  const alone = await movesWith();
  // A clock that makes every evaluation late enough for a report.
  let late = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 1000 * late++);
  onTestFinished(() => {
    clock.mockRestore();
  });
  expect(await movesWith(() => reports++)).toBe(alone);
  expect(reports).toBeGreaterThan(40);
});

test('the solver finds a win', async () => {
  const position = connectFour.initialState();
  for (const action of [0, 1, 0, 1, 0, 6]) connectFour.apply(position, action);
  const thinker = await createThinker('solver', connectFour);
  const { candidates } = await thinker.think(position, { limits: {}, shouldStop: never });
  expect(candidates).toEqual([{ action: 0, value: 1, principalVariation: [0] }]);
});

test('the solver also stops at a limit of time', async () => {
  const { candidates } = await think(connectFour, 'solver', { limits: { timeMs: 5 } });
  expect(candidates[0]!.value).toBeUndefined();
});

describe('several lines', () => {
  test('of alpha-beta are the best moves, each with the value that a search of it alone gives', async () => {
    const game = createGess();
    const { candidates } = await think(game, 'alphabeta:depth=2', { lines: 4 });
    const single = await think(game, 'alphabeta:depth=2');
    expect(candidates).toHaveLength(4);
    expect(candidates[0]).toMatchObject({
      action: single.candidates[0]!.action,
      value: single.candidates[0]!.value,
    });
    expect(new Set(candidates.map(({ action }) => action)).size).toBe(4);
    const values = candidates.map(({ value }) => value!);
    expect(values).toEqual([...values].sort((one, other) => other - one));
    for (const { action, principalVariation } of candidates) expect(principalVariation[0]).toBe(action);
  });

  test('of alpha-beta are all moves where there are fewer, with wins and losses', async () => {
    const position = connectFour.initialState();
    for (const action of [0, 1, 0, 1, 0, 6]) connectFour.apply(position, action);
    const thinker = await createThinker('alphabeta:depth=4', connectFour);
    thinker.newGame(createRng(1));
    const { candidates } = await thinker.think(position, {
      limits: { depth: 4 },
      lines: 20,
      shouldStop: never,
    });
    expect([...candidates.map(({ action }) => action)].sort((one, other) => one - other)).toEqual([
      0, 1, 2, 3, 4, 5, 6,
    ]);
    expect(candidates[0]).toMatchObject({ action: 0, value: 1, pliesToEnd: 1 });
  });

  test('of MCTS are in the order of their visits, with priors', async () => {
    const { candidates, simulations } = await think(connectFour, 'mcts:simulations=200,rollouts=1', {
      lines: 7,
    });
    expect(simulations).toBe(200);
    const visits = candidates.map((candidate) => candidate.visits!);
    expect(visits.reduce((sum, count) => sum + count)).toBe(200);
    expect(visits).toEqual([...visits].sort((one, other) => other - one));
    expect(candidates.reduce((sum, { prior }) => sum + prior!, 0)).toBeCloseTo(1, 5);
  });
});

test('a tree has the visits and values of the search at every ply', async () => {
  const thinker = await createThinker('mcts:simulations=300,rollouts=1', connectFour);
  thinker.newGame(createRng(1));
  const options = { limits: thinker.limits, lines: 7, treePlies: 3, shouldStop: never };
  const { candidates } = await thinker.think(connectFour.initialState(), options);
  for (const { visits, value, replies } of candidates) {
    // The first visit of a move is the evaluation of its position; each later one passes through a reply.
    expect(replies!.reduce((sum, reply) => sum + reply.visits, 0)).toBe(visits! - 1);
    const total = replies!.reduce((sum, reply) => sum + reply.visits * reply.value, 0);
    expect(Math.abs(value! * visits! + total)).toBeLessThanOrEqual(1 + 1e-6);
    const inOrder = replies!.map((reply) => reply.visits);
    expect(inOrder).toEqual([...inOrder].sort((one, other) => other - one));
    const [first] = replies!;
    expect(first!.replies.reduce((sum, reply) => sum + reply.visits, 0)).toBe(first!.visits - 1);
    expect(first!.replies.flatMap((reply) => reply.replies)).toEqual([]);
  }
});

test('a search reports intermediate thoughts', async () => {
  const thinker = await createThinker('alphabeta:depth=4', connectFour);
  thinker.newGame(createRng(1));
  const depths: (number | undefined)[] = [];
  await thinker.think(connectFour.initialState(), {
    limits: { depth: 4 },
    shouldStop: never,
    onThought: ({ depth }) => depths.push(depth),
  });
  expect(depths).toEqual([1, 2, 3, 4]);
});
