/* eslint-disable @typescript-eslint/explicit-module-boundary-types -- Entry types the functions */
import type { Info, Observation } from '../../../../env/environments/environment.js';
import { make } from '../../../../env/environments/make.js';
import { counting, type Entry, isOver, lastWith, seeing, telling } from './turn-env-faults.js';

/** Faults of observations and infos. */
export const OF_OBSERVATIONS: readonly Entry[] = [
  [
    'planes are 64-bit numbers',
    'observation-type',
    (env) =>
      seeing(env, (seen) => ({
        ...seen,
        observation: Float64Array.from(seen.observation) as unknown as Float32Array,
      })),
  ],
  [
    'the mask has another name',
    'observation-type',
    (env) =>
      seeing(
        env,
        ({ observation, actionMask }) => ({ observation, action_mask: actionMask }) as unknown as Observation,
      ),
  ],
  [
    'planes hold 2',
    'observation-range',
    (env) => seeing(env, (seen) => ({ ...seen, observation: seen.observation.map((value) => 2 * value) })),
  ],
  [
    'arrays are reused',
    'aliased-arrays',
    (env) => {
      const planes = [new Float32Array(126), new Float32Array(126)];
      return seeing(env, (seen, agent) => {
        const own = planes[env.possibleAgents.indexOf(agent)]!;
        own.set(seen.observation);
        return { ...seen, observation: own };
      });
    },
  ],
  [
    'last returns the other agent’s observation',
    'last-observation',
    (env) =>
      lastWith(env, ({ observation }) => ({
        observation: { ...observation, observation: observation.observation.slice().reverse() },
      })),
  ],
  ['last returns no reward', 'last-reward', (env) => lastWith(env, () => ({ reward: 0 }))],
  [
    'last swaps terminated and truncated',
    'last-ended',
    (env) => lastWith(env, ({ terminated, truncated }) => ({ terminated: truncated, truncated: terminated })),
  ],
  [
    'last returns more than infos',
    'last-info',
    (env) => lastWith(env, ({ info }) => ({ info: { ...info, extra: 1 } })),
  ],
  [
    'the mask misses a legal action',
    'mask-differs',
    (env) => seeing(env, (seen) => ({ ...seen, actionMask: seen.actionMask.fill(0, 3, 4) })),
  ],
  [
    'the other agent has a mask too',
    'mask-of-other',
    (env) => ({
      observe: (agent) => ({ ...env.observe(agent), actionMask: env.observe(env.agentSelection).actionMask }),
    }),
  ],
  [
    'there are legal actions after the end',
    'mask-of-other',
    (env) => {
      const still = (info: Info): Info => (isOver(env) ? { ...info, legalActions: Int32Array.of(3) } : info);
      return telling(env, still);
    },
  ],
  [
    'legal actions are not in order',
    'legal-actions',
    (env) => telling(env, (info) => ({ ...info, legalActions: info.legalActions.slice().reverse() })),
  ],
];

/** Faults of saving, restoring, rendering and the spec. */
export const OF_STATES: readonly Entry[] = [
  [
    'a saved state has a typed array',
    'save-not-json',
    (env) => ({
      save: () => {
        const { actions, ...saved } = env.save();
        return { ...saved, actions: Int32Array.from(actions as number[]) };
      },
      restore: ({ actions, ...saved }) => {
        env.restore({ ...saved, actions: Object.values(actions as object) });
      },
    }),
  ],
  [
    'saving is counted',
    'save-changes',
    (env) =>
      counting(env, (count) => ({
        save: () => {
          count();
          return env.save();
        },
      })),
    { steps: 1 },
  ],
  [
    'the last move is not restored',
    'restore-differs',
    (env) => ({
      restore: (state) => {
        env.restore(state);
        const saved = env.save();
        const actions = (saved['actions'] as number[]).slice(0, -1);
        if (env.agents.length === 2)
          env.restore({ ...saved, actions, agentSelection: actions.length % 2 === 0 ? 'red' : 'yellow' });
      },
    }),
  ],
  [
    'an invalid state is ignored',
    'restore-unchecked',
    (env) => ({
      restore: (state) => {
        if (state['actions'] !== undefined) env.restore({ ...state, version: 1 });
      },
    }),
  ],
  [
    'the mode is not declared',
    'render-mode',
    (env) => ({ metadata: { ...env.metadata, renderModes: ['human'] } }),
  ],
  ['the diagram is empty', 'render-empty', () => ({ render: () => '' })],
  [
    'rendering is counted',
    'render-changes',
    (env) =>
      counting(env, (count) => ({
        render: () => {
          count();
          return env.render();
        },
      })),
  ],
  [
    'the spec has another ply limit',
    'spec-differs',
    (env) => ({
      spec: { ...make('gess/ConnectFour-v0', { plyLimit: 5 }).spec!, renderMode: env.renderMode },
    }),
  ],
];
