import * as z from 'zod';
import { IllegalActionError } from '../../errors.js';
import type { Action } from '../../game.js';
import type { Discrete } from '../../spaces/discrete.js';
import type { WrapperSpec } from '../env-spec.js';
import type { Environment, Info, ResetResult, StepResult, TurnEnvironment } from '../environment.js';
import type { EarlyEnd } from './early-end.js';
import { endHere, wrapEnding } from './early-end.js';
import type { AnyEnvironment, EnvWrapper, TurnWrapper } from './wrapping.js';
import {
  isTurnBased,
  overAlready,
  readOptions,
  restoreAround,
  saveAround,
  withoutActions,
  withoutMask,
  wrapEnv,
  wrapTurn,
} from './wrapping.js';

const NAME = 'illegalMovePolicy';

const Options = z.strictObject({
  policy: z.enum(['throw', 'lose', 'ignore']),
  illegalReward: z.number().default(-1),
});

/** The treatment of illegal actions. */
export interface IllegalMoveOptions {
  /**
   * - `throw`: `IllegalActionError`, as without the wrapper;
   * - `lose`: the episode is terminated, as by PettingZoo's `TerminateIllegalWrapper`;
   * - `ignore`: nothing is played, and the same agent is to move.
   */
  readonly policy: 'throw' | 'lose' | 'ignore';
  /** The offender's reward with `lose`; the other agents get its negative. Defaults to -1. */
  readonly illegalReward?: number | undefined;
}

/**
 * Handles actions that are in the action space but illegal. With `lose` and `ignore` the info then has the
 * action as `illegalAction`. Values outside the action space, actions after the end and null before it are
 * errors under every policy.
 *
 * In PettingZoo the others get 0 and the episode is also truncated. Here the offender loses to the others, so
 * the rewards of two agents still sum to zero.
 *
 * @throws EnvError `wrapper-options`.
 */
export function illegalMovePolicy<Seen>(
  env: TurnEnvironment<Seen>,
  options: IllegalMoveOptions,
): TurnWrapper<Seen>;
export function illegalMovePolicy<Seen>(
  env: Environment<Seen>,
  options: IllegalMoveOptions,
): EnvWrapper<Seen>;
export function illegalMovePolicy<Seen>(
  env: TurnEnvironment<Seen> | Environment<Seen>,
  options: IllegalMoveOptions,
): AnyEnvironment<Seen> {
  const read = readOptions(NAME, Options, options);
  const wrapper = { name: NAME, options: read };
  const { policy, illegalReward } = read;
  switch (policy) {
    case 'throw':
      return isTurnBased(env) ? wrapTurn(env, wrapper, {}) : wrapEnv(env, wrapper, {});
    case 'lose':
      return isTurnBased(env)
        ? loseTurns(env, wrapper, illegalReward)
        : answerSteps(env, wrapper, { terminated: true, reward: illegalReward });
    case 'ignore':
      return isTurnBased(env)
        ? ignoreTurns(env, wrapper)
        : answerSteps(env, wrapper, { terminated: false, reward: 0 });
  }
}

/** Whether `play` throws `illegal-action` for an action of `space`; other errors are rethrown. */
function isRefused(action: Action, space: Discrete, play: () => void): boolean {
  try {
    play();
    return false;
  } catch (error) {
    const isIllegal = error instanceof IllegalActionError && error.code === 'illegal-action';
    if (isIllegal && space.contains(action)) return true;
    throw error;
  }
}

function loseTurns<Seen>(
  env: TurnEnvironment<Seen>,
  wrapper: WrapperSpec,
  illegalReward: number,
): TurnWrapper<Seen> {
  const loss = (loser: string, action: Action): EarlyEnd => {
    // 0 - …, so that a reward of 0 does not become -0.
    const rewardOf = (agent: string): number => (agent === loser ? illegalReward : 0 - illegalReward);
    const rewards = Object.fromEntries(env.agents.map((agent) => [agent, rewardOf(agent)]));
    const before = { ...env.cumulativeRewards, [loser]: 0 };
    const cumulativeRewards = Object.fromEntries(
      env.agents.map((agent) => [agent, (before[agent] ?? 0) + rewardOf(agent)]),
    );
    return endHere(env, { terminated: true, rewards, cumulativeRewards, note: { illegalAction: action } });
  };
  return wrapEnding(env, wrapper, {
    schema: z.null(),
    save: () => null,
    restore: () => undefined,
    reset: () => undefined,
    step(action, options) {
      const mover = env.agentSelection;
      const refused = isRefused(action, env.actionSpace(mover), () => {
        env.step(action, options);
      });
      return refused ? loss(mover, action) : null;
    },
  });
}

function ignoreTurns<Seen>(env: TurnEnvironment<Seen>, wrapper: WrapperSpec): TurnWrapper<Seen> {
  /** The action that the last step ignored, if any; such a step has no rewards. */
  let ignored: Action | null = null;
  const noteOf = (agent: string): object =>
    ignored !== null && agent === env.agentSelection ? { illegalAction: ignored } : {};
  return wrapTurn(env, wrapper, {
    get rewards() {
      if (ignored === null) return env.rewards;
      return Object.fromEntries(env.agents.map((agent) => [agent, 0]));
    },
    get cumulativeRewards() {
      return ignored === null ? env.cumulativeRewards : { ...env.cumulativeRewards, [env.agentSelection]: 0 };
    },
    get infos() {
      const { infos } = env;
      if (ignored === null) return infos;
      return Object.fromEntries(env.agents.map((agent) => [agent, { ...infos[agent]!, ...noteOf(agent) }]));
    },
    last() {
      const turn = env.last();
      if (ignored === null) return turn;
      return { ...turn, reward: 0, info: { ...turn.info, ...noteOf(env.agentSelection) } };
    },
    reset(options) {
      env.reset(options);
      ignored = null;
    },
    step(action, options) {
      if (action === null) {
        env.step(action, options);
        return;
      }
      const refused = isRefused(action, env.actionSpace(env.agentSelection), () => {
        env.step(action, options);
      });
      ignored = refused ? action : null;
    },
    save: () => saveAround(NAME, env, ignored),
    restore(state) {
      ignored = restoreAround({ name: NAME, schema: z.int().nullable() }, env, state);
    },
  });
}

const SeenState = z.object({ observation: z.json(), legalActions: z.array(z.int()), ply: z.int() });
type SavedSamples = z.infer<typeof SeenState>['observation'];
const AnsweredState = z.object({ hasLost: z.boolean(), before: SeenState.nullable() });

/**
 * The last observation as JSON, for an illegal action after a restore; keeps only the standard fields of the
 * info.
 */
function seenToJson<Seen>(
  env: Environment<Seen>,
  { observation, info }: ResetResult<Seen>,
): z.infer<typeof SeenState> {
  return {
    observation: env.observationSpace.toJsonable([observation]) as SavedSamples,
    legalActions: [...info.legalActions],
    ply: info.ply,
  };
}

function seenFromJson<Seen>(env: Environment<Seen>, seen: z.infer<typeof SeenState>): ResetResult<Seen> {
  const [observation] = env.observationSpace.fromJsonable(seen.observation);
  return {
    observation: observation!,
    info: { legalActions: Int32Array.from(seen.legalActions), ply: seen.ply },
  };
}

/** For one agent: an illegal action returns `answer` with the observation before it. */
function answerSteps<Seen>(
  env: Environment<Seen>,
  wrapper: WrapperSpec,
  answer: { readonly terminated: boolean; readonly reward: number },
): EnvWrapper<Seen> {
  let before: ResetResult<Seen> | null = null;
  let hasLost = false;
  return wrapEnv(env, wrapper, {
    reset(options) {
      before = env.reset(options);
      hasLost = false;
      return before;
    },
    step(action, options) {
      if (hasLost) throw overAlready(action);
      let result: StepResult<Seen> | null = null;
      const refused = isRefused(action, env.actionSpace, () => {
        before = result = env.step(action, options);
      });
      if (!refused) return result!;
      // Copies, because the earlier result belongs to the caller.
      const { observation, info: told } = before!;
      const seen = structuredClone({ observation, info: told });
      const info: Info = { ...seen.info, illegalAction: action };
      if (!answer.terminated) return { ...seen, ...answer, truncated: false, info };
      hasLost = true;
      return {
        observation: withoutMask(seen.observation),
        ...answer,
        truncated: false,
        info: withoutActions(info),
      };
    },
    save: () => saveAround(NAME, env, { hasLost, before: before && seenToJson(env, before) }),
    restore(state) {
      const own = restoreAround({ name: NAME, schema: AnsweredState }, env, state);
      hasLost = own.hasLost;
      before = own.before && seenFromJson(env, own.before);
    },
  });
}
