import { describe, expect, test } from 'vitest';
import { connectFour } from '../../../env/connect-four/connect-four.js';
import type { EnvKwargs } from '../../../env/environments/make.js';
import { make, makeFromSpec } from '../../../env/environments/make.js';
import { OpponentEnv } from '../../../env/environments/opponent-env.js';
import { makeVec } from '../../../env/environments/vector/make-vec.js';
import { maskInInfo } from '../../../env/environments/wrappers/action-masking.js';
import { flattenObservation } from '../../../env/environments/wrappers/flatten-observation.js';
import { passiveChecker } from '../../../env/environments/wrappers/passive-checker.js';
import { symmetryAugmentation } from '../../../env/environments/wrappers/symmetry-augmentation.js';
import { timeLimit } from '../../../env/environments/wrappers/time-limit.js';
import { createGame } from '../../../env/games.js';
import { createRng } from '../../../env/random.js';
import { code } from './wrappers/wrapped-play.js';

const ID = 'gess/ConnectFour-v0';
/** The kinds of environments, by the kwargs that make them. */
const KINDS: readonly (readonly [string, EnvKwargs])[] = [
  ['agents in turn', {}],
  ['one agent against an opponent', { opponent: 'random', side: 'first' }],
  ['one agent that plays both sides', { opponent: 'self' }],
];

/** A call as from a program without types. */
const untyped = (call: (...values: never[]) => unknown, ...values: readonly unknown[]) => {
  return () => call(...(values as never[]));
};

describe.each(KINDS)('an environment for %s', (_kind, kwargs) => {
  const created = () => make(ID, kwargs as EnvKwargs & { readonly opponent: string });

  test('refuses a step before the first reset', () => {
    expect(() => created().step(0)).toThrow(code('reset-needed'));
  });

  test('refuses every call after close', () => {
    const env = created();
    env.reset();
    const state = env.save();
    env.close();
    env.close();
    const calls = [
      () => env.reset(),
      () => env.step(0),
      () => env.render(),
      () => env.save(),
      () => {
        env.restore(state);
      },
    ];
    for (const call of calls) expect(call).toThrow(code('env-closed'));
  });

  test.each([Symbol('bad'), 1n, null, 'x', -1])('refuses %o as a seed', (seed) => {
    const env = created();
    expect(untyped(env.reset.bind(env), { seed })).toThrow(code('seed-range'));
  });

  test.each([
    [{ second: 170 }, "expected the options seconds of step, got 'second'; did you mean 'seconds'?"],
    [null, 'expected options of step, such as { seconds: 2.5 }, got null'],
    [5, 'expected options of step, such as { seconds: 2.5 }, got 5'],
    ['abc', 'expected options of step, such as { seconds: 2.5 }, got "abc"'],
    [[], 'expected options of step, such as { seconds: 2.5 }, got an array of 0'],
  ])('refuses %j as options of a step, and is unchanged', (options, message) => {
    const env = created();
    env.reset({ seed: 1 });
    const before = env.save();
    const step = untyped(env.step.bind(env), 0, options);
    expect(step).toThrow(code('step-options'));
    expect(step).toThrow(message);
    expect(env.save()).toEqual(before);
  });

  test.each([
    ['a symbol', Symbol('bad'), 'Symbol(bad)'],
    ['an object', Object.create(null) as object, 'an object without keys'],
    ['a text', '0', '"0"'],
    ['nothing', undefined, 'undefined'],
  ])('refuses %s as an action, and is unchanged', (_name, action, found) => {
    const env = created();
    env.reset({ seed: 1 });
    const before = env.save();
    const step = untyped(env.step.bind(env), action);
    expect(step).toThrow(code('illegal-action'));
    expect(step).toThrow(`expected an action 0 to 6, got ${found}`);
    expect(env.save()).toEqual(before);
  });

  test.each([
    [{ sed: 5 }, "expected the options seed, position, moves of reset, got 'sed'; did you mean 'seed'?"],
    [5, 'expected options of reset, such as { seed: 1 }, got 5'],
    [null, 'expected options of reset, such as { seed: 1 }, got null'],
    [{ moves: [3, 3] }, 'expected moves as a text, got an array of 2'],
    [[], 'expected options of reset, such as { seed: 1 }, got an array of 0'],
    [new Date(), 'expected options of reset, such as { seed: 1 }, got an object without keys'],
    [
      Object.create({ sed: 5 }) as object,
      'expected options of reset, such as { seed: 1 }, got an object without keys',
    ],
  ])('refuses %j as options of a reset, and is unchanged', (options, message) => {
    const env = created();
    env.reset({ seed: 1 });
    const before = env.save();
    const reset = untyped(env.reset.bind(env), options);
    expect(reset).toThrow(code('reset-options'));
    expect(reset).toThrow(message);
    expect(env.save()).toEqual(before);
  });
});

test('an environment for agents in turn shows nothing after close', () => {
  const env = make(ID);
  env.reset();
  env.close();
  expect(() => env.last()).toThrow(code('env-closed'));
  expect(() => env.observe('red')).toThrow(code('env-closed'));
  expect(env.agents).toEqual([]);
});

test.each([0, undefined, null, 'green', Symbol('bad'), Object.create(null) as object])(
  'an environment for agents in turn refuses %o as an agent',
  (agent) => {
    const env = make(ID);
    env.reset();
    for (const member of ['observe', 'actionSpace', 'observationSpace'] as const) {
      expect(untyped(env[member].bind(env), agent)).toThrow(code('agent-unknown'));
    }
  },
);

test('a vector refuses unknown options of a reset', () => {
  const envs = makeVec(ID, { numEnvs: 2 });
  expect(untyped(envs.reset.bind(envs), { resetmask: [1, 1] })).toThrow("did you mean 'resetMask'?");
});

test('a vector refuses unknown options of a step', () => {
  const envs = makeVec(ID, { numEnvs: 2 });
  envs.reset({ seed: 1 });
  for (const options of [{ second: [1, 1] }, null, 5, []]) {
    expect(untyped(envs.step.bind(envs), [0, 0], options)).toThrow(code('step-options'));
  }
});

test.each<[string, (...values: never[]) => unknown]>([
  ['timeLimit', (env) => timeLimit(env, { maxEpisodeSteps: 3 })],
  ['maskInInfo', maskInInfo],
  ['flattenObservation', flattenObservation],
  ['passiveChecker', passiveChecker],
  ['symmetryAugmentation', symmetryAugmentation],
])('the wrapper %s refuses what is no environment', (_name, wrap) => {
  for (const target of [undefined, null, 5, 'x', {}, []]) {
    expect(untyped(wrap, target)).toThrow(code('wrapper-target'));
  }
});

test('an environment refuses what is no opponent', () => {
  for (const opponent of [undefined, null, 'random', {}, { choose: 1 }]) {
    expect(() => new OpponentEnv(connectFour, opponent as never)).toThrow(code('opponent'));
    const createOpponent = () => opponent as never;
    expect(() => make(ID, { opponent: 'any' }, { createOpponent })).toThrow(code('opponent'));
  }
});

test.each([
  [
    'make without an id',
    untyped(make),
    'env-id',
    'expected an id [namespace/]name[-vVERSION], got undefined',
  ],
  ['make with kwargs that are no object', untyped(make, ID, 5), 'kwargs', 'expected an object; got 5'],
  ['make with parts that are no object', untyped(make, ID, {}, null), 'kwargs', 'got null'],
  ['makeVec without an id', untyped(makeVec, Symbol('bad')), 'env-id', 'got Symbol(bad)'],
  ['makeVec of null', untyped(makeVec, ID, null), 'vector-options', 'expected an object; got null'],
  [
    'createGame of an object',
    untyped(createGame, Object.create(null) as object),
    'game-unknown',
    'a value of type object',
  ],
  [
    'createGame by rules that are no text',
    untyped(createGame, 'gess', []),
    'rules-unknown',
    'a value of type object',
  ],
  ['makeVec without options', untyped(makeVec, ID), 'vector-options', 'got nothing, at numEnvs'],
  ['makeFromSpec without a spec', untyped(makeFromSpec), 'spec-syntax', 'expected an object; got nothing'],
  ['makeFromSpec of {}', untyped(makeFromSpec, {}), 'spec-syntax', 'got nothing, at id'],
  [
    'createRng of a text',
    untyped(createRng, 'x'),
    'random-state',
    'expected a seed of 0 to 2^53 - 1, got string',
  ],
  ['createRng of -1', untyped(createRng, -1), 'random-state', 'got -1'],
  ['createRng of an object', untyped(createRng, Object.create(null) as object), 'random-state', 'got object'],
])('%s is refused', (_name, call, expected, message) => {
  expect(call).toThrow(code(expected));
  expect(call).toThrow(message);
});
