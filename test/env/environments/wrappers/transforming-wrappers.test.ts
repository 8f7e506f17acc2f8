import { describe, expect, test } from 'vitest';
import { make } from '../../../../env/environments/make.js';
import { illegalMovePolicy } from '../../../../env/environments/wrappers/illegal-move-policy.js';
import { passiveChecker } from '../../../../env/environments/wrappers/passive-checker.js';
import { symmetryAugmentation } from '../../../../env/environments/wrappers/symmetry-augmentation.js';
import { transformReward } from '../../../../env/environments/wrappers/transform-reward.js';
import { wrapTurnsBySpec } from '../../../../env/environments/wrappers/wrapper-table.js';
import { unwrapped } from '../../../../env/environments/wrappers/wrapping.js';
import type { Game } from '../../../../env/game.js';
import { createRng } from '../../../../env/random.js';
import { code, connectFour, RED_WINS, single } from './wrapped-play.js';

const FULL_COLUMN = 'y....../r....../y....../r....../y....../r......';

describe('transformReward', () => {
  test('cumulative rewards are sums of the transformed ones', () => {
    const env = transformReward(connectFour(), (reward) => reward * 10 + 1);
    env.reset();
    expect(env.cumulativeRewards).toEqual({ red: 0, yellow: 0 });
    for (const column of RED_WINS) env.step(column);
    expect(env.rewards).toEqual({ red: 11, yellow: -9 });
    // Yellow moved just before, so its sum has that step and the end.
    expect(env.cumulativeRewards).toEqual({ red: 11, yellow: -8 });
    expect(env.last().reward).toBe(-8);
    env.step(null);
    expect([env.rewards, env.cumulativeRewards]).toEqual([{ red: 0 }, { red: 11 }]);
  });

  test('is clipped, also for one agent', () => {
    const env = transformReward(single(), { scale: 4, shift: -1, min: -2, max: 2 });
    const rewards = new Set<number>();
    for (let seed = 0; seed < 10; seed++) {
      let { info } = env.reset({ seed });
      for (;;) {
        const result = env.step(info.legalActions[0]!);
        rewards.add(result.reward);
        if (result.terminated || result.truncated) break;
        info = result.info;
      }
    }
    expect([...rewards].sort((a, b) => a - b)).toEqual([-2, -1, 2]);
  });

  test('a function cannot be written as JSON or rebuilt', () => {
    const env = transformReward(connectFour(), (reward) => reward);
    expect(() => JSON.stringify(env.spec)).toThrow(code('wrapper-function'));
    expect(() => wrapTurnsBySpec(connectFour(), env.spec!.wrappers)).toThrow(code('wrapper-function'));
    expect(() => wrapTurnsBySpec(connectFour(), [{ name: 'unheardOf', options: {} }])).toThrow(
      code('wrapper-unknown'),
    );
  });
});

describe('symmetryAugmentation', () => {
  test.each(['gess/Quess-v0', 'gess/ConnectFour-v0', 'gess/Gess-v0'])(
    'transformed play in %s is legal',
    (id) => {
      const plain = make(id, { plyLimit: 8 });
      const env = symmetryAugmentation(make(id, { plyLimit: 8 }), { per: 'step' });
      const game = (unwrapped(env) as { game: Game<unknown> }).game;
      const rng = createRng(5);
      const names = new Set<unknown>();
      for (let episode = 0; episode < 3; episode++) {
        env.reset(episode === 0 ? { seed: 2 } : {});
        plain.reset();
        while (!plain.last().terminated && !plain.last().truncated) {
          const symmetry = game.symmetries.find(({ name }) => name === env.last().info['symmetry'])!;
          names.add(symmetry.name);
          const player = plain.agentSelection === game.playerNames[0] ? 0 : 1;
          const [shown, real] = [env.last(), plain.last()];
          const through = (action: number): number =>
            game.actionOfPolicyIndex(player, symmetry.policyIndices[game.policyIndex(player, action)]!);
          expect([...shown.info.legalActions]).toEqual([...real.info.legalActions.map(through).sort()]);
          const planes = game.observationShape[2];
          for (const [from, to] of symmetry.squares.entries()) {
            expect(shown.observation.observation.subarray(to * planes, (to + 1) * planes)).toEqual(
              real.observation.observation.subarray(from * planes, (from + 1) * planes),
            );
          }
          const action = real.info.legalActions[rng.integer(real.info.legalActions.length)]!;
          env.step(through(action));
          plain.step(action);
        }
      }
      expect(names.size).toBeGreaterThan(1);
    },
  );

  test('one symmetry an episode; a seed repeats it', () => {
    const env = symmetryAugmentation(connectFour());
    const drawn = (): unknown[] =>
      Array.from({ length: 20 }, (_, episode) => {
        env.reset(episode === 0 ? { seed: 9 } : {});
        const first = env.last().info['symmetry'];
        env.step(2);
        expect(env.last().info['symmetry']).toBe(first);
        return first;
      });
    const names = drawn();
    expect(new Set(names).size).toBe(2);
    expect(drawn()).toEqual(names);
  });

  test('for one agent on either side', () => {
    for (const side of ['first', 'second'] as const) {
      const env = passiveChecker(symmetryAugmentation(single(side), { per: 'step' }));
      let { info } = env.reset({ seed: 1 });
      for (;;) {
        const result = env.step(info.legalActions.at(-1)!);
        if (result.terminated || result.truncated) break;
        info = result.info;
      }
      expect(info).toHaveProperty('symmetry');
    }
  });
});

test('the order of wrappers matters', () => {
  const inside = transformReward(illegalMovePolicy(connectFour(), { policy: 'lose', illegalReward: -3 }), {
    scale: 2,
  });
  const outside = illegalMovePolicy(transformReward(connectFour(), { scale: 2 }), {
    policy: 'lose',
    illegalReward: -3,
  });
  for (const env of [inside, outside]) {
    env.reset({ position: FULL_COLUMN });
    env.step(0);
  }
  expect([inside.last().reward, outside.last().reward]).toEqual([-6, -3]);
  expect(inside.spec!.wrappers.map(({ name }) => name)).toEqual(['illegalMovePolicy', 'transformReward']);
  expect(unwrapped(outside)).not.toHaveProperty('env');
});
