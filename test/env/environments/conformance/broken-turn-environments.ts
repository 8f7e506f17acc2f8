import { connectFour } from '../../../../env/connect-four/connect-four.js';
import { checkTurnEnvironment } from '../../../../env/environments/conformance/conformance.js';
import type { Info, Observation, TurnEnvironment } from '../../../../env/environments/environment.js';
import { TurnEnv } from '../../../../env/environments/turn-env.js';
import type { Broken } from './broken-games.js';
import {
  counting,
  type Entry,
  type Env,
  type Faults,
  hoarding,
  isOver,
  mapValues,
  merge,
  rewarding,
  seeing,
  telling,
} from './turn-env-faults.js';
import { OF_OBSERVATIONS, OF_STATES } from './broken-views.js';
import { withFaults } from './with-faults.js';

const WITH_RULES = { rules: { game: connectFour } };
const SHORT = { rules: { game: connectFour, plyLimit: 8 } };

const OF_EPISODES: readonly Entry[] = [
  [
    'saving fails',
    'threw',
    () => ({
      save: () => {
        throw new TypeError('nothing to save');
      },
    }),
  ],
  [
    'a reset has rewards',
    'reset-start',
    (env) => ({
      get rewards() {
        return env.agents.length === 2 && env.last().info.ply === 0 ? { red: 1, yellow: -1 } : env.rewards;
      },
    }),
  ],
  [
    'a reset keeps a stone',
    'reset-keeps-state',
    (env) => ({
      reset: (options) => {
        const wasPlayed = env.game.ply(env.cloneState()) > 0;
        env.reset(wasPlayed && options?.position === undefined ? { ...options, moves: '3' } : options);
      },
    }),
  ],
  [
    'invalid positions are read as the initial one',
    'reset-unchecked',
    (env) => ({
      reset: ({ seed } = {}) => {
        env.reset({ seed });
      },
    }),
  ],
  [
    'each call makes a new space',
    'space-changes',
    (env) => ({ actionSpace: () => new TurnEnv(env.game).actionSpace('red') }),
  ],
  [
    'reading is counted',
    'reading-changes',
    (env) => {
      let looks = 0;
      return telling(env, (info) => ({ ...info, looks: looks++ }));
    },
  ],
  [
    'the loser leaves without a final step',
    'dead-step-missing',
    (env) => ({
      get agents() {
        return isOver(env) ? [] : env.agents;
      },
      step: (action) => {
        env.step(action);
        if (isOver(env)) env.step(null);
        if (isOver(env)) env.step(null);
      },
    }),
  ],
  [
    'actions after the end are accepted',
    'dead-step-accepts',
    (env) => ({
      step: (action) => {
        env.step(env.agents.length > 0 && isOver(env) ? null : action);
      },
    }),
  ],
  [
    'a second close fails',
    'close-twice',
    () => {
      let isOpen = true;
      return {
        close: () => {
          if (!isOpen) throw new Error('closed');
          isOpen = false;
        },
      };
    },
  ],
];

const OF_ACTIONS: readonly Entry[] = [
  [
    'the middle column is legal but refused',
    'legal-refused',
    (env) => ({
      step: (action) => {
        env.step(action === 3 ? 7 : action);
      },
    }),
  ],
  [
    'an action outside the board is a move in the middle',
    'illegal-accepted',
    (env) => ({
      step: (action) => {
        env.step(action === 7 ? (env.last().info.legalActions[0] ?? null) : action);
      },
    }),
  ],
  [
    'null is accepted as a pass',
    'illegal-accepted',
    (env) => ({
      step: (action) => {
        if (action !== null || isOver(env) || env.agents.length === 0) env.step(action);
      },
    }),
  ],
  ['the mask and the list miss a legal action', 'illegal-accepted', hidingMiddle, { steps: 20 }],
  [
    'illegal actions fail without a code',
    'illegal-error',
    (env) => ({
      step: (action) => {
        if (action === 7) throw new TypeError('no such column');
        env.step(action);
      },
    }),
  ],
  [
    'illegal actions are counted',
    'illegal-changes',
    (env) =>
      counting(env, (count) => ({
        step: (action) => {
          if (action === 7) count();
          env.step(action);
        },
      })),
  ],
];

function withoutThree(seen: Observation): Observation {
  return { ...seen, actionMask: seen.actionMask.fill(0, 3, 4) };
}

const OF_REWARDS: readonly Entry[] = [
  [
    'agents that have left get rewards',
    'agent-keys',
    (env) => ({
      get rewards() {
        return { red: 0, yellow: 0, ...env.rewards };
      },
    }),
  ],
  ['a win is worth NaN', 'reward-type', (env) => rewarding(env, (reward) => (reward === 1 ? NaN : reward))],
  ['cumulative rewards are never reset', 'reward-cumulative', hoarding],
  ['the loser gets nothing', 'reward-sum', (env) => rewarding(env, (reward) => Math.max(0, reward))],
  [
    'a lost game is also truncated',
    'ended-type',
    (env) => ({
      get truncations() {
        return mapValues(env.truncations, () => isOver(env));
      },
      last: () => ({ ...env.last(), truncated: isOver(env) }),
    }),
  ],
  ['a win costs one', 'rules-rewards', (env) => rewarding(env, (reward) => 0 - reward), WITH_RULES],
  [
    'a truncated game is terminated',
    'rules-ended',
    (env) => ({
      get terminations() {
        return mapValues(env.terminations, () => isOver(env));
      },
      get truncations() {
        return mapValues(env.truncations, () => false);
      },
      last: () => ({ ...env.last(), terminated: isOver(env), truncated: false }),
    }),
    SHORT,
  ],
  [
    'plies are counted from 1',
    'rules-turn',
    (env) => telling(env, (info) => ({ ...info, ply: info.ply + 1 })),
    WITH_RULES,
  ],
  [
    'each agent sees the other agent’s view',
    'rules-observation',
    (env) =>
      seeing(env, (seen, agent) => ({
        ...seen,
        observation: env.observe(agent === 'red' ? 'yellow' : 'red').observation,
      })),
    WITH_RULES,
  ],
];

/** Removes the middle column from lists and masks. */
function hidingMiddle(env: Env): Faults {
  const hide = (info: Info): Info => ({
    ...info,
    legalActions: info.legalActions.filter((action) => action !== 3),
  });
  return merge(telling(env, hide), {
    observe: (agent) => withoutThree(env.observe(agent)),
    last: () => {
      const turn = env.last();
      return { ...turn, observation: withoutThree(turn.observation), info: hide(turn.info) };
    },
  });
}

/** Connect Four in which the middle column is illegal: consistent in itself, but not with the rules. */
function withoutMiddle(env: Env): Faults {
  const step = (action: number | null): void => {
    env.step(action === 3 && !isOver(env) ? 7 : action);
  };
  return merge(hidingMiddle(env), { step });
}

const ENTRIES: readonly Entry[] = [
  ...OF_EPISODES,
  ...OF_OBSERVATIONS,
  ...OF_ACTIONS,
  ...OF_REWARDS,
  ...OF_STATES,
  ['a column cannot be played', 'rules-actions', withoutMiddle, { ...WITH_RULES, steps: 15 }],
];

/** Environments of Connect Four for two agents, with one fault each. */
export const BROKEN_TURN_ENVIRONMENTS: readonly Broken[] = ENTRIES.map(
  ([fault, code, faultsOf, options = {}]) => ({
    fault,
    code,
    check: () =>
      checkTurnEnvironment(
        () => {
          const plyLimit = options.rules?.plyLimit;
          const env = new TurnEnv(connectFour, { plyLimit, renderMode: 'ansi' });
          return withFaults<TurnEnvironment>(env, faultsOf(env));
        },
        { episodes: 1, ...options },
      ),
  }),
);
