import type { Action } from '../game.js';
import type { Discrete } from '../spaces/discrete.js';
import type { Space } from '../spaces/space.js';
import type { RenderMode } from './env-spec.js';
import type { EnvMetadata, Info, Observation, ResetOptions, TurnEnvironment } from './environment.js';

/** A value for each agent, by name. */
export type ByAgent<Value> = Readonly<Record<string, Value>>;

/** The result of a step, for every agent. */
export interface ParallelStep<Seen = Observation> {
  readonly observations: ByAgent<Seen>;
  /** The rewards of this step. */
  readonly rewards: ByAgent<number>;
  readonly terminations: ByAgent<boolean>;
  readonly truncations: ByAgent<boolean>;
  readonly infos: ByAgent<Info>;
}

/** An environment whose agents act at the same time, like PettingZoo's `ParallelEnv`. */
export interface ParallelEnvironment<Seen = Observation> {
  readonly metadata: EnvMetadata;
  readonly renderMode: RenderMode | null;
  readonly possibleAgents: readonly string[];
  /** Agents of the episode; empty when it is over. */
  readonly agents: readonly string[];
  /** The same object for every call with the same agent. */
  observationSpace(agent: string): Space<Seen>;
  /** The same object for every call with the same agent. */
  actionSpace(agent: string): Discrete;
  /** @throws as `TurnEnvironment.reset`; the episode is unchanged. */
  reset(options?: ResetOptions): Pick<ParallelStep<Seen>, 'observations' | 'infos'>;
  /**
   * Plays the action of the active agent. After the end of the episode, all parts of the result are empty.
   *
   * @throws EnvError `reset-needed` before the first reset, `env-closed`; IllegalActionError `illegal-action`; the
   *   environment is unchanged.
   */
  step(actions: ByAgent<Action | null>): ParallelStep<Seen>;
  /**
   * The text or SVG of the current position; null in mode `human`, which has already written it, and without
   * a mode.
   */
  render(): string | null;
  /** Ends the use of the environment: a later `reset` or `step` throws EnvError `env-closed`. Idempotent. */
  close(): void;
}

class TurnsInParallel<Seen> implements ParallelEnvironment<Seen> {
  private readonly env: TurnEnvironment<Seen>;
  /** Whether `reset` was called, and `close` was not. */
  private isBegun = false;

  constructor(env: TurnEnvironment<Seen>) {
    this.env = env;
  }

  get metadata(): EnvMetadata {
    return this.env.metadata;
  }

  get renderMode(): RenderMode | null {
    return this.env.renderMode;
  }

  get possibleAgents(): readonly string[] {
    return this.env.possibleAgents;
  }

  get agents(): readonly string[] {
    return this.env.agents;
  }

  observationSpace(agent: string): Space<Seen> {
    return this.env.observationSpace(agent);
  }

  actionSpace(agent: string): Discrete {
    return this.env.actionSpace(agent);
  }

  reset(options?: ResetOptions): Pick<ParallelStep<Seen>, 'observations' | 'infos'> {
    this.env.reset(options);
    this.isBegun = true;
    const { observations, infos } = this.current();
    this.letFinishedLeave();
    return { observations, infos };
  }

  step(actions: ByAgent<Action | null>): ParallelStep<Seen> {
    const { env } = this;
    // Without an episode, the environment for turns says what is missing.
    if (env.agents.length > 0 || !this.isBegun) env.step(actions[env.agentSelection] ?? null);
    const result = this.current();
    this.letFinishedLeave();
    return result;
  }

  render(): string | null {
    return this.env.render();
  }

  close(): void {
    this.env.close();
    this.isBegun = false;
  }

  private current(): ParallelStep<Seen> {
    const { env } = this;
    const { agentSelection: activeAgent } = env;
    const infos = Object.entries(env.infos).map(
      ([agent, info]) => [agent, { ...info, activeAgent }] as const,
    );
    return {
      observations: Object.fromEntries(env.agents.map((agent) => [agent, env.observe(agent)])),
      rewards: { ...env.rewards },
      terminations: { ...env.terminations },
      truncations: { ...env.truncations },
      infos: Object.fromEntries(infos),
    };
  }

  private letFinishedLeave(): void {
    const { env } = this;
    for (let agent = env.agentSelection; env.agents.length > 0; agent = env.agentSelection) {
      if (env.terminations[agent] !== true && env.truncations[agent] !== true) return;
      env.step(null);
    }
  }
}

/**
 * Turns an environment for agents in turn into one for simultaneous agents, like PettingZoo's
 * `turn_based_aec_to_parallel`: every step returns the observations of all agents, and only the action of the
 * agent named by `info.activeAgent` counts. Pass null for the others, or omit them.
 *
 * For turn-based games this serves only programs that support no other interface: half of the observations are never
 * needed.
 */
export function toParallel<Seen>(env: TurnEnvironment<Seen>): ParallelEnvironment<Seen> {
  return new TurnsInParallel(env);
}
