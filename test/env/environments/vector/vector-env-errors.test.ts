import { describe, expect, test } from 'vitest';
import type { EnvState } from '../../../../env/environments/environment.js';
import { make } from '../../../../env/environments/make.js';
import { makeVec } from '../../../../env/environments/vector/make-vec.js';
import type { AutoresetMode } from '../../../../env/environments/vector/vector-environment.js';
import { VectorEnv } from '../../../../env/environments/vector/vector-env.js';
import { recordEpisodeStatistics } from '../../../../env/environments/wrappers/record-episode-statistics.js';
import { EnvError, SubEnvironmentError } from '../../../../env/errors.js';
import { code } from '../wrappers/wrapped-play.js';
const ID = 'gess/ConnectFour-v0';

describe('an invalid use', () => {
  test('is an error with a code, and changes nothing', () => {
    const envs = makeVec(ID, { numEnvs: 2, autoreset: 'disabled' });
    expect(() => envs.step([0, 0])).toThrow(code('reset-needed'));
    expect(() => envs.reset({ resetMask: [1, 0] })).toThrow(code('reset-needed'));
    envs.reset({ seed: 1 });
    const before = envs.save();
    for (const actions of [[], [0], [0, 0, 0]])
      expect(() => envs.step(actions)).toThrow(code('vector-options'));
    for (const resetMask of [[0, 0], [1], [1, 2]]) {
      expect(() => envs.reset({ resetMask })).toThrow(code('vector-options'));
    }
    for (const actions of [undefined, null, 5, '01', {}, Symbol('bad')] as unknown as number[][])
      expect(() => envs.step(actions)).toThrow(code('vector-options'));
    for (const resetMask of [null, 5, '11', [Symbol('bad'), 1], [undefined, 1]] as unknown as number[][])
      expect(() => envs.reset({ resetMask })).toThrow(code('vector-options'));
    expect(() => envs.reset({ seed: null as unknown as number })).toThrow(code('vector-options'));
    for (const seed of [1n, 'x', Symbol('bad'), [null, 1], [Symbol('bad'), 1]] as unknown as number[])
      expect(() => envs.reset({ seed })).toThrow(code('seed-range'));
    expect(() => envs.call('step', 1)).toThrow(code('vector-options'));
    for (const name of ['constructor', '__proto__', 'toString', Symbol('bad'), undefined] as string[])
      expect(() => envs.call(name)).toThrow(code('vector-options'));
    expect(() => {
      envs.restore({ ...before, version: 2 } as unknown as EnvState);
    }).toThrow(code('state-mismatch'));
    const [state] = before['envs'] as EnvState[];
    expect(() => {
      envs.restore({ ...before, envs: [state, { ...state, rules: '' }] });
    }).toThrow(code('state-mismatch'));
    expect(() => {
      makeVec(ID, { numEnvs: 2 }).restore(before);
    }).toThrow(code('state-mismatch'));
    expect(envs.save()).toEqual(before);
  });

  test('an error of an environment has its index, and requires a reset', () => {
    const envs = makeVec(ID, { numEnvs: 3 });
    envs.reset({ moves: '1 1 1 1 1 1' });
    const step = (): unknown => envs.step([0, 1, 0]);
    expect(step).toThrow(SubEnvironmentError);
    envs.reset({ moves: '1 1 1 1 1 1' });
    expect(step).toThrow(expect.objectContaining({ code: 'illegal-action', index: 1, exitCode: 1 }));
    expect(step).toThrow(code('reset-needed'));
    expect(() => envs.reset({ resetMask: [0, 1, 0] })).toThrow(code('reset-needed'));
    expect(() => envs.reset({ moves: '9' })).toThrow(
      expect.objectContaining({ code: 'action-syntax', index: 0 }),
    );
  });

  test('as arguments of makeVec is an error', () => {
    expect(() => makeVec(ID, { numEnvs: 0 })).toThrow(code('vector-options'));
    expect(() => makeVec(ID, { numEnvs: 1, autoreset: 'never' as AutoresetMode })).toThrow(
      code('vector-options'),
    );
    expect(() => makeVec(ID, { numEnvs: 1, rulez: 'x' })).toThrow(code('kwargs'));
    expect(() => makeVec(ID, { numEnvs: 1, wrappers: [{ name: 'none', options: {} }] })).toThrow(
      code('wrapper-unknown'),
    );
    expect(() => new VectorEnv([])).toThrow(code('vector-options'));
    const self = { opponent: 'self' };
    expect(() => new VectorEnv([() => make(ID, self), () => make('gess/Quess', self)])).toThrow(
      code('vector-options'),
    );
  });

  test('after close', () => {
    const envs = makeVec(ID, { numEnvs: 2 });
    envs.reset();
    envs.close();
    envs.close();
    for (const call of [
      () => envs.reset(),
      () => envs.step([0, 0]),
      () => envs.render(),
      () => envs.save(),
      () => envs.call('plyLimit'),
    ]) {
      expect(call).toThrow(code('env-closed'));
    }
  });

  test('close closes all, and throws the first error', () => {
    const closed: number[] = [];
    const envs = new VectorEnv(
      [0, 1, 2].map((index) => () => ({
        ...recordEpisodeStatistics(make(ID, { opponent: 'self' })),
        close: () => {
          closed.push(index);
          if (index < 2) throw new EnvError('kwargs', 'held');
        },
      })),
    );
    expect(() => {
      envs.close();
    }).toThrow(expect.objectContaining({ code: 'kwargs', index: 0 }));
    expect(closed).toEqual([0, 1, 2]);
  });
});
