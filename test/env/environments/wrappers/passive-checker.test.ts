import { describe, expect, test } from 'vitest';
import type { Observation, TurnEnvironment } from '../../../../env/environments/environment.js';
import { make } from '../../../../env/environments/make.js';
import { passiveChecker } from '../../../../env/environments/wrappers/passive-checker.js';
import type { TurnChanges } from '../../../../env/environments/wrappers/wrapping.js';
import { wrapTurn } from '../../../../env/environments/wrappers/wrapping.js';
import { createRng } from '../../../../env/random.js';
import { code, connectFour, playEpisodes } from './wrapped-play.js';

describe('passiveChecker', () => {
  type Changes = TurnChanges<Observation>;

  function faulty(change: (env: TurnEnvironment) => Changes): TurnEnvironment {
    const env = connectFour();
    return passiveChecker(wrapTurn(env, { name: 'faulty', options: {} }, change(env)));
  }

  const FAULTS: readonly (readonly [string, (env: TurnEnvironment) => Changes])[] = [
    ['check-observation', (env) => ({ last: () => withObservation(env, new Float32Array(3)) })],
    ['check-observation', (env) => ({ observe: () => ({ ...env.observe('red'), extra: 1 }) })],
    ['check-mask', (env) => ({ last: () => withMask(env, new Uint8Array(7)) })],
    ['check-reward', () => ({ rewards: { red: NaN, yellow: 0 } })],
    ['check-flag', () => ({ terminations: { red: 0, yellow: 0 } as never })],
    ['check-info', () => ({ infos: { red: {}, yellow: {} } as never })],
    ['check-legal-actions', () => ({ infos: { red: told(), yellow: told() } })],
    ['check-legal-actions', () => ({ infos: { red: told(2, 1), yellow: told() } })],
    ['check-legal-actions', () => ({ infos: { red: told(1, 7), yellow: told() } })],
    ['check-agents', () => ({ agents: [] })],
    ['check-agents', () => ({ agents: ['yellow', 'red'] })],
    ['check-agents', () => ({ agentSelection: 'green' })],
    ['check-agents', () => ({ truncations: { red: false } })],
    ['check-last', (env) => ({ last: () => ({ ...env.last(), reward: 1 }) })],
    ['check-render', () => ({ render: () => null })],
    ['check-reuse', (env) => ({ last: reusing(env) })],
  ];

  function told(...actions: number[]): { legalActions: Int32Array; ply: number } {
    return { legalActions: Int32Array.from(actions), ply: 0 };
  }

  function withObservation(
    env: TurnEnvironment,
    observation: Float32Array,
  ): ReturnType<TurnEnvironment['last']> {
    const turn = env.last();
    return { ...turn, observation: { ...turn.observation, observation } };
  }

  function withMask(env: TurnEnvironment, actionMask: Uint8Array): ReturnType<TurnEnvironment['last']> {
    const turn = env.last();
    return { ...turn, observation: { ...turn.observation, actionMask } };
  }

  function reusing(env: TurnEnvironment): TurnEnvironment['last'] {
    const planes = new Float32Array(126);
    return () => withObservation(env, planes);
  }

  test.each(FAULTS)('%s (%#)', (expected, change) => {
    expect(() => {
      const env = faulty(change);
      env.reset();
      env.observe('red');
      env.last();
      env.last();
      env.render();
    }).toThrow(expect.objectContaining({ name: 'CheckError', code: expected }));
  });

  test('reuse may be allowed', () => {
    const env = make('gess/ConnectFour-v0', { copy: false });
    expect(() => playEpisodes(passiveChecker(env), 1, createRng(1))).toThrow(code('check-reuse'));
    expect(playEpisodes(passiveChecker(env, { allowReuse: true }), 3, createRng(1))).toBeGreaterThan(20);
  });
});
