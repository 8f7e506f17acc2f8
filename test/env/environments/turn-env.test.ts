import { inspect } from 'node:util';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { connectFour } from '../../../env/connect-four/connect-four.js';
import type { Game } from '../../../env/game.js';
import { createGess } from '../../../env/gess/gess.js';
import { createQuess } from '../../../env/quess/quess.js';
import { TurnEnv } from '../../../env/environments/turn-env.js';

/** Plays to the end by the environment's own random stream; returns each agent's reward. */
function playOut<State>(
  env: TurnEnv<State>,
  seed: number,
): { actions: number[]; rewards: Record<string, number> } {
  env.reset({ seed });
  const actions: number[] = [];
  const rewards: Record<string, number> = Object.fromEntries(env.agents.map((agent) => [agent, 0]));
  while (env.agents.length > 0) {
    const { reward, terminated, truncated, info } = env.last();
    rewards[env.agentSelection]! += reward;
    if (terminated || truncated) {
      env.step(null);
      continue;
    }
    const action = info.legalActions[env.rng.integer(info.legalActions.length)]!;
    actions.push(action);
    env.step(action);
  }
  return { actions, rewards };
}

const GAMES: readonly Game<unknown>[] = [connectFour, createGess(), createQuess({ plyLimit: 5000 })];

describe.each(GAMES)('TurnEnv of $id', (game) => {
  test('the same seed plays the same game, another seed a different one', () => {
    const env = new TurnEnv(game);
    const first = playOut(env, 5).actions;
    expect(playOut(env, 5).actions).toEqual(first);
    expect(playOut(new TurnEnv(game), 5).actions).toEqual(first);
    const others = [6, 7, 8].map((seed) => playOut(env, seed).actions);
    expect(others.some((actions) => actions.join() !== first.join())).toBe(true);
  });

  test('rewards of both agents sum to zero and match the rules', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const { actions, rewards } = playOut(new TurnEnv(game), seed);
        const state = game.initialState();
        for (const action of actions) game.apply(state, action);
        const [first, second] = game.playerNames;
        expect(rewards[first]).toBe(game.outcome(state));
        expect(rewards[first]! + rewards[second]!).toBe(0);
      }),
      { numRuns: 20 },
    );
  });

  test('mask and list have the same actions, for the agent to move only', () => {
    const env = new TurnEnv(game);
    env.reset();
    const [first, second] = game.playerNames;
    const { observation, info } = env.last();
    const masked = [...observation.actionMask.keys()].filter(
      (action) => observation.actionMask[action] === 1,
    );
    expect(masked).toEqual([...info.legalActions]);
    expect(env.observe(first)).toEqual(observation);
    expect(env.observe(second).actionMask.every((legal) => legal === 0)).toBe(true);
    env.step(masked[0]!);
    expect(env.agentSelection).toBe(second);
    expect(env.observe(second)).toEqual(env.last().observation);
    expect(env.observe(first).observation).not.toEqual(env.observe(second).observation);
    expect(() => env.observe('green')).toThrow(expect.objectContaining({ code: 'agent-unknown' }));
  });

  test('an observation looks like a plain object with two arrays', () => {
    const env = new TurnEnv(connectFour);
    env.reset();
    const { observation, actionMask } = env.last().observation;
    const plain = { observation, actionMask };
    expect(Object.keys(env.last().observation)).toEqual(['observation', 'actionMask']);
    expect(env.last().observation).toStrictEqual(plain);
    expect({ ...env.last().observation }).toStrictEqual(plain);
    expect(structuredClone(env.last().observation)).toStrictEqual(plain);
    expect(JSON.stringify(env.last().observation)).toBe(JSON.stringify(plain));
    expect(inspect(env.last().observation)).toBe(inspect(plain));
    const seen = env.last().observation;
    expect(seen.actionMask).toBe(seen.actionMask);
    expect(seen.observation).not.toBe(env.last().observation.observation);
    expect({ ...new Proxy(env.last().observation, {}) }).toStrictEqual(plain);
  });

  test('returned arrays are not overwritten later', () => {
    const env = new TurnEnv(game);
    env.reset();
    const turn = env.last();
    const copy = structuredClone(turn);
    env.step(turn.info.legalActions[0]!);
    env.last();
    expect(turn).toEqual(copy);
  });
});

describe('the course of a game', () => {
  const env = new TurnEnv(connectFour);
  beforeEach(() => {
    env.reset();
  });

  test('a win is reported to the loser first, then to the winner, and all agents leave', () => {
    for (const column of [0, 1, 0, 1, 0, 1, 0]) env.step(column);
    expect(env.rewards).toEqual({ red: 1, yellow: -1 });
    expect(env.agentSelection).toBe('yellow');
    expect(env.last()).toMatchObject({ reward: -1, terminated: true, truncated: false });
    expect(env.last().info.legalActions).toHaveLength(0);
    env.step(null);
    expect(env.agents).toEqual(['red']);
    expect(env.last()).toMatchObject({ reward: 1, terminated: true, truncated: false });
    env.step(null);
    expect(env.agents).toEqual([]);
    expect(() => {
      env.step(null);
    }).toThrow(expect.objectContaining({ code: 'reset-needed' }));
  });

  test.each([
    [-1, 'illegal-action'],
    [7, 'illegal-action'],
    [0.5, 'illegal-action'],
    [NaN, 'illegal-action'],
    [0, 'illegal-action'],
    [null, 'illegal-action'],
  ])('the illegal action %s changes nothing', (action, code) => {
    for (let i = 0; i < 6; i++) env.step(0);
    const before = [env.last(), env.cloneState(), env.rewards];
    expect(() => {
      env.step(action);
    }).toThrow(expect.objectContaining({ name: 'IllegalActionError', code }));
    expect([env.last(), env.cloneState(), env.rewards]).toEqual(before);
  });

  test('an action after the end is refused', () => {
    for (const column of [0, 1, 0, 1, 0, 1, 0]) env.step(column);
    expect(() => {
      env.step(2);
    }).toThrow(expect.objectContaining({ code: 'game-over' }));
    expect(env.agents).toHaveLength(2);
  });

  test('the ply limit truncates without a reward, and leaves no legal actions', () => {
    const short = new TurnEnv(connectFour, { plyLimit: 3 });
    short.reset();
    for (const column of [0, 1, 2]) {
      expect(short.truncations).toEqual({ red: false, yellow: false });
      short.step(column);
    }
    const { reward, terminated, truncated, info, observation } = short.last();
    expect([reward, terminated, truncated, info.legalActions.length]).toEqual([0, false, true, 0]);
    expect(observation.actionMask.includes(1)).toBe(false);
    short.step(null);
    short.step(null);
    expect(short.agents).toEqual([]);
  });

  test('a game that ends at the ply limit by its rules is not truncated', () => {
    const short = new TurnEnv(connectFour, { plyLimit: 7 });
    short.reset();
    for (const column of [0, 1, 0, 1, 0, 1, 0]) short.step(column);
    expect(short.last()).toMatchObject({ terminated: true, truncated: false });
  });

  test('a reset may start anywhere, and an invalid text leaves the episode unchanged', () => {
    env.step(3);
    const before = env.last();
    expect(() => {
      env.reset({ position: 'nowhere' });
    }).toThrow(expect.objectContaining({ code: 'position-syntax' }));
    expect(env.last()).toEqual(before);
    env.reset({ position: '......./......./r....../ry...../ry...../ry.....' });
    expect(env.last()).toMatchObject({ reward: -1, terminated: true });
  });
});

describe('clocks', () => {
  const game = createQuess({ rules: 'standard,clock=10' });
  const env = new TurnEnv(game);
  const action = game.parseAction('F2-D3');
  beforeEach(() => {
    env.reset();
  });

  test('the seconds of a step are taken off the clock before its action is played', () => {
    env.step(action, { seconds: 2.5 });
    expect(game.formatPosition(env.cloneState())).toMatch(/ d 1 7\.5 10$/);
    env.step(game.parseAction('B6-C4'));
    expect(game.formatPosition(env.cloneState())).toMatch(/ l 2 7\.5 10$/);
  });

  test('an agent whose clock runs out loses, and the action is not played', () => {
    env.step(action, { seconds: 10 });
    expect(game.ply(env.cloneState())).toBe(0);
    expect(env.rewards).toEqual({ light: -1, dark: 1 });
    expect(env.agentSelection).toBe('light');
    expect(env.last()).toMatchObject({ reward: -1, terminated: true, truncated: false });
    expect(env.last().info.legalActions).toHaveLength(0);
    env.step(null);
    expect(env.last()).toMatchObject({ reward: 1, terminated: true });
    env.step(null);
    expect(env.agents).toEqual([]);
  });

  test('an illegal action takes no time', () => {
    expect(() => {
      env.step(0, { seconds: 3 });
    }).toThrow(expect.objectContaining({ code: 'illegal-action' }));
    expect(env.cloneState()).toEqual(game.initialState());
  });

  test.each([-1, NaN, Infinity])('%s seconds are refused', (seconds) => {
    expect(() => {
      env.step(action, { seconds });
    }).toThrow(expect.objectContaining({ name: 'ClockError', code: 'seconds-range' }));
    expect(env.cloneState()).toEqual(game.initialState());
  });

  test('seconds are refused by a game without clocks', () => {
    for (const other of [connectFour, createQuess()] as readonly Game<unknown>[]) {
      const plain = new TurnEnv(other);
      plain.reset();
      expect(() => {
        plain.step(plain.last().info.legalActions[0]!, { seconds: 0 });
      }).toThrow(expect.objectContaining({ code: 'no-clock' }));
      expect(other.ply(plain.cloneState())).toBe(0);
    }
  });
});
