import * as z from 'zod';
import type { WrapperSpec } from '../env-spec.js';
import type { Environment, TurnEnvironment } from '../environment.js';
import type { AnyEnvironment, EnvWrapper, TurnWrapper } from './wrapping.js';
import {
  functionWrapper,
  isOver,
  isTurnBased,
  readOptions,
  restoreAround,
  saveAround,
  wrapEnv,
  wrapTurn,
} from './wrapping.js';

const NAME = 'transformReward';

const Options = z.strictObject({
  scale: z.number().default(1),
  shift: z.number().default(0),
  min: z.number().nullable().default(null),
  max: z.number().nullable().default(null),
});

/** Maps a reward to a new one; called once for each reward of a step. */
export type RewardFunction = (reward: number) => number;

/** `reward * scale + shift`, clipped to `min` and `max`. */
export interface RewardOptions {
  /** Defaults to 1. */
  readonly scale?: number | undefined;
  /** Defaults to 0. */
  readonly shift?: number | undefined;
  /** Defaults to none. */
  readonly min?: number | null | undefined;
  /** Defaults to none. */
  readonly max?: number | null | undefined;
}

/**
 * Changes the rewards of steps, like Gymnasium's `TransformReward`, and with `min` and `max` `ClipReward`. In
 * an environment for agents in turn, cumulative rewards are sums of the transformed ones; the 0 of a step by
 * which an agent leaves, and of a reset into an unfinished episode, is not a reward and stays 0.
 *
 * With a function, a spec with this wrapper cannot be written as JSON: EnvError `wrapper-function`.
 *
 * @throws EnvError `wrapper-options`.
 */
export function transformReward<Seen>(
  env: TurnEnvironment<Seen>,
  transform: RewardFunction | RewardOptions,
): TurnWrapper<Seen>;
export function transformReward<Seen>(
  env: Environment<Seen>,
  transform: RewardFunction | RewardOptions,
): EnvWrapper<Seen>;
export function transformReward<Seen>(
  env: TurnEnvironment<Seen> | Environment<Seen>,
  transform: RewardFunction | RewardOptions,
): AnyEnvironment<Seen> {
  if (typeof transform === 'function') {
    return wrap(env, functionWrapper(NAME, 'a function'), transform);
  }
  const options = readOptions(NAME, Options, transform);
  const { scale, shift } = options;
  const min = options.min ?? -Infinity;
  const max = options.max ?? Infinity;
  // + 0 avoids -0 from a negative scale.
  return wrap(env, { name: NAME, options }, (reward) =>
    Math.min(Math.max(reward * scale + shift + 0, min), max),
  );
}

function wrap<Seen>(
  env: TurnEnvironment<Seen> | Environment<Seen>,
  wrapper: WrapperSpec,
  transform: RewardFunction,
): AnyEnvironment<Seen> {
  if (isTurnBased(env)) return transformTurns(env, wrapper, transform);
  return wrapEnv(env, wrapper, {
    step(action, options) {
      const result = env.step(action, options);
      return { ...result, reward: transform(result.reward) };
    },
  });
}

type Rewards = Readonly<Record<string, number>>;

function transformTurns<Seen>(
  env: TurnEnvironment<Seen>,
  wrapper: WrapperSpec,
  transform: RewardFunction,
): TurnWrapper<Seen> {
  let rewards: Rewards = {};
  let collected: Rewards = {};
  const Own = z.object({
    rewards: z.record(z.string(), z.number()),
    collected: z.record(z.string(), z.number()),
  });
  const byAgent = (valueOf: (agent: string) => number): Rewards =>
    Object.fromEntries(env.agents.map((agent) => [agent, valueOf(agent)]));
  const earn = (before: Rewards): void => {
    const earned = env.rewards;
    rewards = byAgent((agent) => transform(earned[agent] ?? 0));
    collected = byAgent((agent) => (before[agent] ?? 0) + rewards[agent]!);
  };
  return wrapTurn(env, wrapper, {
    get rewards() {
      return rewards;
    },
    get cumulativeRewards() {
      return collected;
    },
    last() {
      const turn = env.last();
      return { ...turn, reward: collected[env.agentSelection] ?? 0 };
    },
    reset(options) {
      env.reset(options);
      rewards = collected = byAgent(() => 0);
      // A reset into a finished game has rewards before any step.
      if (isOver(env)) earn({});
    },
    step(action, options) {
      const mover = env.agentSelection;
      env.step(action, options);
      if (action !== null) {
        earn({ ...collected, [mover]: 0 });
        return;
      }
      rewards = byAgent(() => 0);
      collected = byAgent((agent) => collected[agent] ?? 0);
    },
    save: () => saveAround(NAME, env, { rewards, collected }),
    restore(state) {
      ({ rewards, collected } = restoreAround({ name: NAME, schema: Own }, env, state));
    },
  });
}
