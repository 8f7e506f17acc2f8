import { rm, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../long-tests.js';
import type { Choice } from '../../agents/agent.js';
import { drawCarefulAction } from '../../agents/immediate/careful-agent.js';
import { createAlphaBetaAgent } from '../../agents/alpha-beta/alpha-beta-agent.js';
import { createAgent } from '../../agents/create-agent.js';
import type { Action, Game } from '../../env/game.js';
import { createEvaluation, createGame } from '../../env/games.js';
import { createRng } from '../../env/random.js';
import { openModelFile } from '../../training/export/model-file.js';
import { NetworkConfig } from '../../training/network/network-config.js';
import { createNetwork } from '../../training/network/network.js';
import { networkShape } from '../../training/network/network-shape.js';
import { encodeOnnxModel } from '../../training/network/onnx/onnx-model.js';
import { stateSnapshot } from './state-snapshot.js';

const gess = createGame('gess');
const connectFour = createGame('connect-four');
const games = [connectFour, gess];

let folder = '';
const models = new Map<string, string>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agents-'));
  for (const game of games) {
    const config = NetworkConfig.parse({ channels: 4, blocks: 1, valueHidden: 4 });
    const network = createNetwork(networkShape(game, config), createRng(3));
    const rng = createRng(4);
    for (const values of network.parameters.values()) {
      for (let i = 0; i < values.length; i++) values[i] = 0.4 * (rng.float() - 0.5);
    }
    const path = join(folder, `${game.id}.onnx`);
    await writeFile(path, encodeOnnxModel(network, 'legal'));
    models.set(game.id, path);
  }
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Every kind of agent, with `MODEL` for a network of random weights. */
const TEXTS = [
  'random',
  'careful',
  'greedy',
  'alphabeta:depth=2',
  'alphabeta:nodes=300',
  'mcts:simulations=10',
  'mcts:simulations=10,leaves=4,temperature=1',
  'mcts:model=MODEL,simulations=8',
  'policy:model=MODEL',
];
/** Agents that see the results of their moves. */
const LOOKING_AHEAD = ['greedy', 'alphabeta:depth=1', 'mcts:simulations=1', 'mcts:model=MODEL,simulations=4'];

/** A position after careful random moves that is not over. */
function somewhere(game: Game<unknown>, seed: number, plies: number): unknown {
  const rng = createRng(seed, 'somewhere');
  const state = game.initialState();
  for (let i = 0; i < plies; i++) {
    game.apply(state, drawCarefulAction(game, state, rng));
    if (game.outcome(state) === null) continue;
    game.undo(state);
    break;
  }
  return state;
}

async function choose(
  game: Game<unknown>,
  text: string,
  states: readonly unknown[],
): Promise<readonly Choice[]> {
  const agent = await createAgent(text.replace('MODEL', models.get(game.id)!), game, openModelFile);
  try {
    return await agent.chooseAll(states.map((state, index) => ({ state, rng: createRng(1, index) })));
  } finally {
    await agent.dispose();
  }
}

/** The immediate result of `action` to the player who plays it: 1 a win, -1 a loss, 0 anything else. */
function resultOf(game: Game<unknown>, state: unknown, action: Action): number {
  const sign = game.currentPlayer(state) === 0 ? 1 : -1;
  game.apply(state, action);
  const outcome = game.outcome(state) ?? 0;
  game.undo(state);
  return sign * outcome + 0;
}

function resultsOf(game: Game<unknown>, state: unknown): number[] {
  const legal = new Int32Array(game.maxLegalActions);
  const count = game.legalActions(state, legal);
  return [...legal.subarray(0, count)].map((action) => resultOf(game, state, action));
}

/** `count` positions of long careful games in which some move has `result` at once. */
function positionsWith(game: Game<unknown>, result: number, count: number): unknown[] {
  const found: unknown[] = [];
  for (let seed = 0; found.length < count; seed++) {
    const state = somewhere(game, seed, 8 + (seed % 90));
    if (resultsOf(game, state).includes(result)) found.push(state);
  }
  return found;
}

/** The agents for a game. Two plies of all moves in Gess take a second for each position: only with LONG_TESTS=1. */
function textsFor(game: Game<unknown>): readonly string[] {
  if (game !== gess || isLong) return TEXTS;
  return TEXTS.map((text) => (text === 'alphabeta:depth=2' ? 'alphabeta:depth=1' : text));
}

describe.each(games)('on $id', (game) => {
  test.each(textsFor(game))(
    '%s plays the same legal moves each time, alone or with others, and leaves the states unchanged',
    async (text) => {
      const states = [0, 1, 2, 3, 4].map((seed) => somewhere(game, seed, 3 * seed));
      const before = states.map((state) => stateSnapshot(game, state));
      const choices = await choose(game, text, states);
      expect(states.map((state) => stateSnapshot(game, state))).toEqual(before);
      choices.forEach((choice, index) => {
        expect(game.isLegal(states[index], choice.action)).toBe(true);
        if (choice.value !== undefined) expect(Math.abs(choice.value)).toBeLessThanOrEqual(1);
        if (choice.principalVariation) expect(choice.principalVariation[0]).toBe(choice.action);
      });
      expect(await choose(game, text, states)).toEqual(choices);
      const agent = await createAgent(text.replace('MODEL', models.get(game.id)!), game, openModelFile);
      for (const [index, state] of states.entries()) {
        const alone = await agent.chooseAll([{ state, rng: createRng(1, index) }]);
        expect(alone).toEqual([choices[index]]);
      }
      await agent.dispose();
    },
  );

  test.each(LOOKING_AHEAD)('%s takes a win', async (text) => {
    const states = positionsWith(game, 1, 12);
    const choices = await choose(game, text, states);
    expect(choices.map(({ action }, index) => resultOf(game, states[index], action))).toEqual(
      states.map(() => 1),
    );
  });

  test('the line of a search is legal', async () => {
    const state = somewhere(game, 7, 10);
    const [choice] = await choose(game, 'mcts:simulations=1000', [state]);
    const line = choice!.principalVariation!;
    expect(line.length).toBeGreaterThan(1);
    for (const action of line) {
      expect(game.isLegal(state, action)).toBe(true);
      game.apply(state, action);
    }
  });
});

test.each(['careful', ...LOOKING_AHEAD])('%s keeps its ring', async (text) => {
  const states = positionsWith(gess, -1, 20);
  const choices = await choose(gess, text, states);
  choices.forEach(({ action }, index) => {
    expect(resultOf(gess, states[index], action)).not.toBe(-1);
  });
});

test.each(['alphabeta:depth=2', 'mcts:simulations=200'])(
  '%s does not let the opponent win next',
  async (text) => {
    /** Whether the player to move can win at once. */
    const isThreatened = (state: unknown): boolean => resultsOf(connectFour, state).includes(1);
    await fc.assert(
      fc.asyncProperty(fc.nat(1e6), fc.integer({ min: 5, max: 25 }), async (seed, plies) => {
        const state = somewhere(connectFour, seed, plies);
        const legal = new Int32Array(7);
        const count = connectFour.legalActions(state, legal);
        const safe = [...legal.subarray(0, count)].filter((action) => {
          connectFour.apply(state, action);
          const isSafe = !isThreatened(state);
          connectFour.undo(state);
          return isSafe;
        });
        const [choice] = await choose(connectFour, text, [state]);
        if (safe.length > 0) expect(safe).toContain(choice!.action);
      }),
    );
  },
);

test('careful draws uniformly among moves that do not lose, and among all if every move loses', () => {
  /** A game in which these columns lose at once. */
  const withLosing = (columns: readonly Action[]): Game<unknown> => ({
    ...connectFour,
    outcome: (state) => {
      const plies = connectFour.historyLength(state);
      return plies > 0 && columns.includes(connectFour.historyAction(state, plies - 1)) ? -1 : null;
    },
  });
  const draws = 3000;
  for (const losing of [[0, 1, 3, 4, 5], [2, 6], [], [0, 1, 2, 3, 4, 5, 6]]) {
    const game = withLosing(losing);
    const expected = [0, 1, 2, 3, 4, 5, 6].filter(
      (column) => losing.length === 7 || !losing.includes(column),
    );
    const rng = createRng(11);
    const counts = new Map<Action, number>();
    for (let i = 0; i < draws; i++) {
      const action = drawCarefulAction(game, game.initialState(), rng);
      counts.set(action, (counts.get(action) ?? 0) + 1);
    }
    expect([...counts.keys()].sort((a, b) => a - b)).toEqual(expected);
    const share = 1 / expected.length;
    for (const count of counts.values()) {
      expect(Math.abs(count / draws - share)).toBeLessThan(5 * Math.sqrt((share * (1 - share)) / draws));
    }
  }
});

test('alpha-beta that remembers does so within a game', async () => {
  const written = createEvaluation(gess);
  let evaluations = 0;
  const evaluation = Object.assign(Object.create(written) as typeof written, {
    evaluate: (state: unknown) => {
      evaluations += 1;
      return written.evaluate(state);
    },
  });
  // A limit that no search reaches.
  const limits = { depth: 3, timeMs: 1e9 };
  const agent = createAlphaBetaAgent(gess, { name: 'remembering', limits, evaluation, remembers: true });
  const rng = createRng(1);
  const evaluationsFor = async (state: unknown): Promise<number> => {
    evaluations = 0;
    await agent.chooseAll([{ state, rng }]);
    return evaluations;
  };
  const [game, sameMoves] = [somewhere(gess, 5, 8), somewhere(gess, 5, 8)];
  const first = await evaluationsFor(game);
  expect(await evaluationsFor(game)).toBeLessThan(first / 2);
  expect(await evaluationsFor(sameMoves)).toBe(first);
});

test.each([undefined, 'gess', {}])(
  'for %j, which is no game, and for a text that is none, there is no agent',
  async (value) => {
    const noGame = value as unknown as Game<unknown>;
    await expect(createAgent('random', noGame)).rejects.toMatchObject({ code: 'agent-game' });
    const noOpeners = null as unknown as undefined;
    await expect(createAgent('random', gess, noOpeners)).rejects.toMatchObject({ code: 'agent-option' });
    if (typeof value === 'string') return;
    const noText = value as unknown as string;
    await expect(createAgent(noText, gess)).rejects.toMatchObject({ code: 'agent-syntax' });
  },
);
