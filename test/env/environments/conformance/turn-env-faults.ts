import type { Info, Observation, Turn, TurnEnvironment } from '../../../../env/environments/environment.js';
import type { FindingCode } from '../../../../env/environments/conformance/codes.js';
import type { TurnCheckOptions } from '../../../../env/environments/conformance/conformance.js';
import type { TurnEnv } from '../../../../env/environments/turn-env.js';

/** The overridden members of a broken environment. */
export type Faults = Partial<TurnEnvironment>;
export type Env = TurnEnv;

/** A fault: its description, its code, the faulty members, and check options other than the defaults. */
export type Entry = readonly [string, FindingCode, (env: Env) => Faults, TurnCheckOptions<Observation>?];

/** Changes observations, consistently in `observe` and `last`. */
export function seeing(env: Env, change: (seen: Observation, agent: string) => Observation): Faults {
  return {
    observe: (agent) => change(env.observe(agent), agent),
    last: () => {
      const turn = env.last();
      return { ...turn, observation: change(turn.observation, env.agentSelection) };
    },
  };
}

/** Changes infos, consistently in `infos` and `last`. */
export function telling(env: Env, change: (info: Info) => Info): Faults {
  return {
    get infos() {
      return mapValues(env.infos, change);
    },
    last: () => {
      const turn = env.last();
      return { ...turn, info: change(turn.info) };
    },
  };
}

export function lastWith(env: Env, change: (turn: Turn) => Partial<Turn>): Faults {
  return {
    last: () => {
      const turn = env.last();
      return { ...turn, ...change(turn) };
    },
  };
}

/** Replaces the rewards of the last step; cumulative rewards follow from them. */
export function rewarding(env: Env, change: (reward: number) => number): Faults {
  return {
    get rewards() {
      return mapValues(env.rewards, change);
    },
    get cumulativeRewards() {
      return mapValues(env.cumulativeRewards, change);
    },
    last: () => {
      const turn = env.last();
      return { ...turn, reward: change(turn.reward) };
    },
  };
}

export function mapValues<Value, Result>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

/** A fault that counts calls and reports the count in `info`. */
export function counting(env: Env, faultsOf: (count: () => void) => Faults): Faults {
  let counted = 0;
  const faults = faultsOf(() => {
    counted += 1;
  });
  return merge(
    telling(env, (info) => ({ ...info, counted })),
    faults,
  );
}

/** Merges both, keeping getters. */
export function merge(first: Faults, second: Faults): Faults {
  return Object.defineProperties(first, Object.getOwnPropertyDescriptors(second));
}

/** The mover gets 0.1 for each step, the other loses as much, and cumulative rewards are never reset. */
export function hoarding(env: Env): Faults {
  let collected: Record<string, number> = {};
  let rewards: Record<string, number> = {};
  return {
    reset: (options) => {
      env.reset(options);
      collected = { red: 0, yellow: 0 };
      rewards = { red: 0, yellow: 0 };
    },
    get rewards() {
      return pick(rewards, env.agents);
    },
    get cumulativeRewards() {
      return pick(collected, env.agents);
    },
    step: (action) => {
      const mover = env.agentSelection;
      env.step(action);
      const share = action === null ? 0 : 0.1;
      rewards = mapValues({ red: 'red', yellow: 'yellow' }, (agent) => (agent === mover ? share : 0 - share));
      for (const agent of env.possibleAgents) collected[agent]! += rewards[agent]!;
    },
    last: () => ({ ...env.last(), reward: collected[env.agentSelection]! }),
    save: () => ({ ...env.save(), collected, rewards }),
    restore: ({ collected: savedCollected, rewards: savedRewards, ...state }) => {
      env.restore(state);
      collected = savedCollected as Record<string, number>;
      rewards = savedRewards as Record<string, number>;
    },
  };
}

function pick<Value>(
  record: Readonly<Record<string, Value>>,
  keys: readonly string[],
): Record<string, Value> {
  return Object.fromEntries(keys.map((key) => [key, record[key]!]));
}

export function isOver(env: Env): boolean {
  return [...Object.values(env.terminations), ...Object.values(env.truncations)].includes(true);
}
