import { connectFour } from '../../../../env/connect-four/connect-four.js';
import type { FindingCode } from '../../../../env/environments/conformance/codes.js';
import { checkEnvironment } from '../../../../env/environments/conformance/conformance.js';
import type { Environment, StepResult } from '../../../../env/environments/environment.js';
import { randomOpponent } from '../../../../env/environments/opponent.js';
import { OpponentEnv } from '../../../../env/environments/opponent-env.js';
import { createRng } from '../../../../env/random.js';
import type { Broken } from './broken-games.js';
import { withFaults } from './with-faults.js';

type Faults = Partial<Environment>;

/** Randomness that no seed controls, shared by all environments. */
const wild = createRng(1, 'wild');

/** Changes each step's result. */
function stepping(env: Environment, change: (result: StepResult) => StepResult): Faults {
  return { step: (action) => change(env.step(action)) };
}

const FAULTS: readonly (readonly [string, FindingCode, (env: Environment) => Faults])[] = [
  [
    'the seed is ignored',
    'seed-ignored',
    (env) => ({ reset: (options) => env.reset({ ...options, seed: undefined }) }),
  ],
  [
    'a reset uses a random seed',
    'seed-ignored',
    (env) => ({ reset: (options) => env.reset({ ...options, seed: wild.integer(1000) }) }),
  ],
  [
    'all seeds give the same stream',
    'seed-alike',
    (env) => ({
      reset: ({ seed, ...options } = {}) => env.reset({ ...options, seed: seed === undefined ? seed : 1 }),
    }),
  ],
  [
    'a reset without a seed starts the streams again',
    'seed-restarts',
    (env) => {
      let latest = 0;
      return {
        reset: ({ seed, ...options } = {}) => {
          latest = seed ?? latest;
          return env.reset({ ...options, seed: latest });
        },
        save: () => ({ ...env.save(), latest }),
        restore: ({ latest: saved, ...state }) => {
          env.restore(state);
          latest = Number(saved);
        },
      };
    },
  ],
  [
    'a restored state lacks a stream',
    'restore-goes-on',
    (env) => ({
      restore: (state) => {
        env.restore({ ...state, rng: env.save()['rng'] });
      },
    }),
  ],
  [
    'a restored state lacks the stream of the opponent',
    'restore-differs',
    (env) => ({
      restore: (state) => {
        env.restore({ ...state, opponentRng: env.save()['opponentRng'] });
      },
    }),
  ],
  [
    'the mask stays that of the first position',
    'mask-differs',
    (env) =>
      stepping(env, (result) => ({
        ...result,
        observation: { ...result.observation, actionMask: new Uint8Array(7).fill(1) },
      })),
  ],
  [
    'steps after the end are accepted',
    'dead-step-accepts',
    (env) => {
      let last: StepResult | null = null;
      return {
        reset: (options) => {
          last = null;
          return env.reset(options);
        },
        step: (action) =>
          last !== null && (last.terminated || last.truncated) ? last : (last = env.step(action)),
      };
    },
  ],
  [
    'an episode is both terminated and truncated',
    'ended-type',
    (env) => stepping(env, (result) => ({ ...result, truncated: result.terminated })),
  ],
  [
    'the reward of a loss is NaN',
    'reward-type',
    (env) => stepping(env, (result) => ({ ...result, reward: result.reward < 0 ? NaN : result.reward })),
  ],
];

/** Environments of Connect Four against an opponent, with one fault each. */
export const BROKEN_ENVIRONMENTS: readonly Broken[] = FAULTS.map(([fault, code, faultsOf]) => ({
  fault,
  code,
  check: () =>
    checkEnvironment(
      () => {
        const env: Environment = new OpponentEnv(connectFour, randomOpponent(connectFour));
        return withFaults(env, faultsOf(env));
      },
      { isStochastic: true, episodes: 4 },
    ),
}));
