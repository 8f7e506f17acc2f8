import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  maskInInfo,
  maskInObservation,
  maskOf,
} from '../../../../env/environments/wrappers/action-masking.js';
import { flattenObservation } from '../../../../env/environments/wrappers/flatten-observation.js';
import { illegalMovePolicy } from '../../../../env/environments/wrappers/illegal-move-policy.js';
import { orderEnforcing } from '../../../../env/environments/wrappers/order-enforcing.js';
import { timeLimit } from '../../../../env/environments/wrappers/time-limit.js';
import { transformReward } from '../../../../env/environments/wrappers/transform-reward.js';
import { wrapTurnsBySpec } from '../../../../env/environments/wrappers/wrapper-table.js';
import { unflatten } from '../../../../env/spaces/flatten.js';
import { code, connectFour, leaveAll, RED_WINS, single, throughJson } from './wrapped-play.js';

const FULL_COLUMN = 'y....../r....../y....../r....../y....../r......';

describe('timeLimit', () => {
  test('truncates an episode after a number of steps of all agents, without a reward', () => {
    const env = timeLimit(connectFour(), { maxEpisodeSteps: 3 });
    env.reset();
    for (const column of [0, 1, 2]) {
      expect(env.truncations).toEqual({ red: false, yellow: false });
      env.step(column);
    }
    expect(env.truncations).toEqual({ red: true, yellow: true });
    expect(env.terminations).toEqual({ red: false, yellow: false });
    const { observation, info, ...turn } = env.last();
    expect(turn).toEqual({ reward: 0, terminated: false, truncated: true });
    expect(info.legalActions).toHaveLength(0);
    expect(observation.actionMask.includes(1)).toBe(false);
    expect(() => {
      env.step(3);
    }).toThrow(code('game-over'));
    expect(leaveAll(env)).toEqual(['yellow', 'red']);
    expect(() => {
      env.step(null);
    }).toThrow(code('reset-needed'));
    env.reset();
    expect(env.agents).toEqual(['red', 'yellow']);
  });

  test('does not truncate an episode that ends at the last step, nor count refused steps', () => {
    const env = timeLimit(connectFour(), { maxEpisodeSteps: RED_WINS.length });
    env.reset();
    expect(() => {
      env.step(9);
    }).toThrow(code('illegal-action'));
    for (const column of RED_WINS) env.step(column);
    expect(env.last()).toMatchObject({ reward: -1, terminated: true, truncated: false });
  });

  test('for one agent', () => {
    const env = timeLimit(single(), { maxEpisodeSteps: 2 });
    env.reset({ seed: 1 });
    expect(env.step(0).truncated).toBe(false);
    const { truncated, info, observation } = env.step(1);
    expect([truncated, info.legalActions.length, observation.actionMask.includes(1)]).toEqual([
      true,
      0,
      false,
    ]);
    expect(() => env.step(2)).toThrow(code('game-over'));
    env.reset();
    expect(env.step(0).truncated).toBe(false);
  });

  test.each([0, 1.5, NaN])('of %s steps is refused', (maxEpisodeSteps) => {
    expect(() => timeLimit(connectFour(), { maxEpisodeSteps })).toThrow(code('wrapper-options'));
  });
});

describe('orderEnforcing', () => {
  const ASKED = ['agents', 'agentSelection', 'rewards', 'cumulativeRewards', 'terminations', 'truncations'];

  test('refuses all but constant facts before reset, and after close', () => {
    const env = orderEnforcing(connectFour());
    const calls: Record<string, () => unknown> = {
      ...Object.fromEntries([...ASKED, 'infos'].map((name) => [name, (): unknown => Reflect.get(env, name)])),
      last: () => env.last(),
      observe: () => env.observe('red'),
      step: () => {
        env.step(0);
      },
      render: () => env.render(),
      save: () => env.save(),
    };
    for (const call of Object.values(calls)) expect(call).toThrow(code('reset-needed'));
    expect(env.possibleAgents).toEqual(['red', 'yellow']);
    env.reset();
    for (const call of Object.values(calls)) expect(call).not.toThrow();
    env.close();
    env.close();
    for (const call of Object.values(calls)) expect(call).toThrow(code('env-closed'));
    expect(() => {
      env.reset();
    }).toThrow(code('env-closed'));
  });

  test('for one agent; restore counts as a reset, and render can be allowed', () => {
    const begun = single();
    begun.reset();
    const env = orderEnforcing(single(), { disableRenderOrderEnforcing: true });
    expect(() => env.step(0)).toThrow(code('reset-needed'));
    expect(env.render()).toContain('0123456');
    env.restore(begun.save());
    expect(() => env.step(0)).not.toThrow();
  });
});

describe('illegalMovePolicy', () => {
  test('lose: the episode is over, and the others have won', () => {
    const env = illegalMovePolicy(connectFour(), { policy: 'lose' });
    env.reset({ position: FULL_COLUMN });
    const mover = env.agentSelection;
    const other = mover === 'red' ? 'yellow' : 'red';
    env.step(0);
    expect(env.rewards).toEqual({ [mover]: -1, [other]: 1 });
    expect(env.terminations).toEqual({ red: true, yellow: true });
    expect(env.truncations).toEqual({ red: false, yellow: false });
    expect(env.last()).toMatchObject({ reward: -1, terminated: true, info: { illegalAction: 0 } });
    expect(env.last().info.legalActions).toHaveLength(0);
    env.step(null);
    expect(env.agents).toEqual([other]);
    expect(env.rewards).toEqual({ [other]: 0 });
    expect(env.last()).toMatchObject({ reward: 1, terminated: true });
    env.step(null);
    expect(env.agents).toEqual([]);
  });

  test('lose: for one agent', () => {
    const env = illegalMovePolicy(single(), { policy: 'lose', illegalReward: -5 });
    env.reset({ position: FULL_COLUMN, seed: 1 });
    const result = env.step(0);
    expect(result).toMatchObject({
      reward: -5,
      terminated: true,
      truncated: false,
      info: { illegalAction: 0 },
    });
    expect(result.observation.actionMask.includes(1)).toBe(false);
    expect(() => env.step(1)).toThrow(code('game-over'));
  });

  test('ignore: the same agent is to move, and the step has no reward', () => {
    const env = illegalMovePolicy(connectFour(), { policy: 'ignore' });
    env.reset({ position: FULL_COLUMN });
    const before = env.last();
    env.step(0);
    expect(env.last()).toEqual({ ...before, info: { ...before.info, illegalAction: 0 } });
    expect(env.infos[env.agentSelection]).toHaveProperty('illegalAction', 0);
    env.step(1);
    expect(env.last().info).not.toHaveProperty('illegalAction');
  });

  test('ignore: earlier rewards are not reported twice', () => {
    const paid = transformReward(connectFour(), { shift: 1 });
    const env = illegalMovePolicy(paid, { policy: 'ignore' });
    env.reset({ moves: '0 0 0 0 0 0' });
    env.step(1);
    expect(env.last().reward).toBe(1);
    env.step(0);
    expect([env.last().reward, env.rewards]).toEqual([0, { red: 0, yellow: 0 }]);
    expect(env.cumulativeRewards).toEqual({ red: 1, yellow: 0 });
  });

  test('ignore: for one agent, also after a restore', () => {
    const env = illegalMovePolicy(single(), { policy: 'ignore' });
    const { observation, info } = env.reset({ position: FULL_COLUMN, seed: 1 });
    const other = illegalMovePolicy(single(), { policy: 'ignore' });
    other.restore(throughJson(env.save()));
    for (const tried of [env, other]) {
      const result = tried.step(0);
      expect(result.observation).toEqual(observation);
      expect(result.info.legalActions).toEqual(info.legalActions);
      expect(result).toMatchObject({ reward: 0, terminated: false, truncated: false });
      expect(tried.step(1).info).not.toHaveProperty('illegalAction');
    }
  });

  test.each(['throw', 'lose', 'ignore'] as const)(
    '%s: values outside the action space are errors',
    (policy) => {
      const env = illegalMovePolicy(connectFour(), { policy });
      env.reset();
      for (const action of [7, -1, 0.5, NaN, null]) {
        expect(() => {
          env.step(action);
        }).toThrow(code('illegal-action'));
      }
    },
  );
});

describe('masks and flat observations', () => {
  test('observations have the right types', () => {
    const env = connectFour();
    env.reset();
    expectTypeOf(flattenObservation(env).last().observation).toEqualTypeOf<Float32Array>();
    expectTypeOf(maskInInfo(env).observe('red')).toEqualTypeOf<Float32Array>();
    const outer = flattenObservation(timeLimit(maskInInfo(env), { maxEpisodeSteps: 3 }));
    expectTypeOf(outer.last().observation).toEqualTypeOf<Float32Array>();
    expectTypeOf(flattenObservation(single()).reset().observation).toEqualTypeOf<Float32Array>();
  });

  test('a mask in the info is that of the observation, and can be moved back', () => {
    const plain = connectFour();
    const env = maskInInfo(connectFour());
    const back = maskInObservation(maskInInfo(connectFour()));
    for (const each of [plain, env, back]) each.reset({ position: FULL_COLUMN });
    const { actionMask, observation } = plain.last().observation;
    expect([...actionMask]).toEqual([0, 1, 1, 1, 1, 1, 1]);
    expect(env.last().observation).toEqual(observation);
    expect(maskOf(env.last().info)).toEqual(actionMask);
    expect(maskOf(env.infos[env.agentSelection]!)).toEqual(actionMask);
    expect(back.last().observation).toEqual({ observation, actionMask });
    for (const agent of plain.agents) expect(back.observe(agent)).toEqual(plain.observe(agent));
    expect(back.observationSpace('red').equals(plain.observationSpace('red'))).toBe(true);
  });

  test('a flat observation has all numbers', () => {
    const plain = connectFour();
    const env = flattenObservation(connectFour());
    plain.reset({ moves: '3 3' });
    env.reset({ moves: '3 3' });
    const flat = env.last().observation;
    expect(unflatten(plain.observationSpace('red'), flat)).toEqual(plain.last().observation);
    expect(env.observationSpace('red').contains(flat)).toBe(true);
    expect(String(env.observationSpace('red'))).toBe('Box(0, 1, [133], float32)');
  });

  test('observations without a mask are refused', () => {
    const flat = flattenObservation(connectFour());
    expect(() => wrapTurnsBySpec(flat, [{ name: 'maskInInfo', options: {} }])).toThrow(
      code('wrapper-target'),
    );
    expect(() => wrapTurnsBySpec(flat, [{ name: 'symmetryAugmentation', options: {} }])).toThrow(
      code('wrapper-target'),
    );
  });
});
