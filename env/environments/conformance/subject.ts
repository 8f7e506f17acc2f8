import type { Action } from '../../game.js';
import type { Discrete } from '../../spaces/discrete.js';
import type { Space } from '../../spaces/space.js';
import type { EnvSpec, RenderMode } from '../env-spec.js';
import type {
  EnvState,
  Environment,
  EnvMetadata,
  Info,
  ResetOptions,
  TurnEnvironment,
} from '../environment.js';
import { snapshot } from './difference.js';

/** The view of the next agent, not copied. */
export interface AgentView {
  readonly observation: unknown;
  readonly reward: number;
  readonly terminated: boolean;
  readonly truncated: boolean;
  readonly info: Info;
}

/** The common members of environments of one and of several agents. */
interface AnyEnvironment {
  readonly spec: EnvSpec | null;
  readonly metadata: EnvMetadata;
  readonly renderMode: RenderMode | null;
  render(): string | null;
  close(): void;
  save(): EnvState;
  restore(state: EnvState): void;
}

/** An environment under test, of one agent or of several, for the checks of both kinds. */
export interface Subject {
  readonly env: AnyEnvironment;
  /** The observation space of the next agent. */
  observationSpace(): Space;
  actionSpace(): Discrete;
  reset(options?: ResetOptions): void;
  /** The view of the next agent. */
  view(): AgentView;
  /** Everything visible, in the environment's own arrays and objects. */
  visible(): unknown;
  /** Steps; null leaves an episode that is over. */
  step(action: Action | null): void;
  /** Whether only a reset is possible. */
  needsReset(): boolean;
  /** Whether all agents have left. */
  isEmpty(): boolean;
  /** Whether a restored environment is visible before its next step. */
  readonly showsRestored: boolean;
}

/** A copy of everything visible. */
export function visibleCopy(subject: Subject): unknown {
  return snapshot(subject.visible());
}

/** An environment of agents in turn as a subject. */
export function turnSubject<Seen>(env: TurnEnvironment<Seen>): Subject {
  return {
    env,
    observationSpace: () => env.observationSpace(env.agentSelection),
    actionSpace: () => env.actionSpace(env.agentSelection),
    reset: (options) => {
      env.reset(options);
    },
    view: () => env.last(),
    visible: () => ({
      agents: env.agents,
      agentSelection: env.agentSelection,
      rewards: env.rewards,
      cumulativeRewards: env.cumulativeRewards,
      terminations: env.terminations,
      truncations: env.truncations,
      infos: env.infos,
      observations: Object.fromEntries(env.agents.map((agent) => [agent, env.observe(agent)])),
      last: env.agents.length === 0 ? null : env.last(),
    }),
    step: (action) => {
      env.step(action);
    },
    needsReset: () => env.agents.length === 0,
    isEmpty: () => env.agents.length === 0,
    showsRestored: true,
  };
}

/** An environment of one agent as a subject; its view is the last result of `reset` or `step`. */
export function agentSubject<Seen>(env: Environment<Seen>): Subject {
  let latest: AgentView | null = null;
  const view = (): AgentView => {
    if (latest === null) throw new Error('expected reset first');
    return latest;
  };
  return {
    env,
    observationSpace: () => env.observationSpace,
    actionSpace: () => env.actionSpace,
    reset: (options) => {
      latest = { ...env.reset(options), reward: 0, terminated: false, truncated: false };
    },
    view,
    visible: view,
    step: (action) => {
      latest = env.step(action!);
    },
    needsReset: () => view().terminated || view().truncated,
    isEmpty: () => false,
    showsRestored: false,
  };
}

/** Whether the episode is over for this agent. */
export function isOver({ terminated, truncated }: AgentView): boolean {
  return terminated || truncated;
}
