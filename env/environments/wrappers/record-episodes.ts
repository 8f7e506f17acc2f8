import type { Action } from '../../game.js';
import type { EnvSpec } from '../env-spec.js';
import type { Environment, ResetOptions, StepOptions, TurnEnvironment } from '../environment.js';
import type { AnyEnvironment, EnvWrapper, TurnWrapper } from './wrapping.js';
import { functionWrapper, isOver, isTurnBased, wrapEnv, wrapTurn } from './wrapping.js';

const NAME = 'recordEpisodes';

/** The name of the agent in a single-agent environment. */
export const ONLY_AGENT = 'agent';

/**
 * A recorded episode, like Minari's `EpisodeBuffer`. `T` is the number of steps, without those by which agents
 * leave; `G` is the number of agents.
 */
export interface RecordedEpisode<Seen = unknown> {
  /** Index of the episode, from 0, in the order of their ends. */
  readonly id: number;
  /** The seed of the episode's reset; null if the random streams continued. */
  readonly seed: number | null;
  readonly position: string | null;
  readonly moves: string | null;
  /** The spec of the environment, with the wrappers inside this one; null if it was not made by `make`. */
  readonly spec: EnvSpec | null;
  /** `[G]` */
  readonly agents: readonly string[];
  /** `[T]` the acting agent, as an index of `agents`. */
  readonly actors: Uint8Array;
  /**
   * `[T + 1]` the acting agent's observation before each step, then that of the next agent after the last;
   * null if not recorded.
   */
  readonly observations: readonly Seen[] | null;
  /** `[T]` */
  readonly actions: Int32Array;
  /** `[T]` seconds that each action took off a clock. */
  readonly seconds: Float64Array;
  /** `[T, G]` the reward of each step for each agent. */
  readonly rewards: Float64Array;
  /** `[T]` 0 or 1. */
  readonly terminations: Uint8Array;
  /** `[T]` 0 or 1; 1 at the last step of an episode that was abandoned. */
  readonly truncations: Uint8Array;
}

/** The receiver of finished episodes. */
export interface EpisodeSink<Seen = unknown> {
  /** Receives an episode, which the sink then owns. Errors propagate to the caller of the environment. */
  write(episode: RecordedEpisode<Seen>): void;
}

/** Options of `recordEpisodes`. */
export interface RecordEpisodesOptions {
  /** Whether to record observations, the largest part of an episode. Defaults to true. */
  readonly observations?: boolean | undefined;
}

/**
 * Records episodes and passes them to `sink`, like Minari's `DataCollector`. `{ write: (episode) =>
 * episodes.push(episode) }` collects them in an array; `data/episodes/episode-file.ts` writes Arrow files. An
 * episode is passed on when it ends, or when a reset or `close` abandons it after at least one step.
 * `restore` discards the current one; recording resumes at the next reset.
 *
 * A spec with this wrapper cannot be written as JSON: EnvError `wrapper-function`.
 */
export function recordEpisodes<Seen>(
  env: TurnEnvironment<Seen>,
  sink: EpisodeSink<Seen>,
  options?: RecordEpisodesOptions,
): TurnWrapper<Seen>;
export function recordEpisodes<Seen>(
  env: Environment<Seen>,
  sink: EpisodeSink<Seen>,
  options?: RecordEpisodesOptions,
): EnvWrapper<Seen>;
export function recordEpisodes<Seen>(
  env: TurnEnvironment<Seen> | Environment<Seen>,
  sink: EpisodeSink<Seen>,
  options: RecordEpisodesOptions = {},
): AnyEnvironment<Seen> {
  const isSeen = options.observations ?? true;
  if (isTurnBased(env)) {
    return recordTurns(env, new Recording(env.spec, env.possibleAgents, sink), isSeen);
  }
  return recordSteps(env, new Recording(env.spec, [ONLY_AGENT], sink), isSeen);
}

interface Played {
  readonly actor: number;
  readonly action: Action;
  readonly options: StepOptions | undefined;
  /** `[G]` */
  readonly rewards: readonly number[];
  readonly terminated: boolean;
  readonly truncated: boolean;
}

/** The current episode. */
class Recording<Seen> {
  /** Null while nothing is recorded. */
  private start: ResetOptions | null = null;
  private played: Played[] = [];
  private observations: Seen[] = [];
  private count = 0;
  private readonly spec: EnvSpec | null;
  private readonly agents: readonly string[];
  private readonly sink: EpisodeSink<Seen>;

  constructor(spec: EnvSpec | null, agents: readonly string[], sink: EpisodeSink<Seen>) {
    this.spec = spec;
    this.agents = agents;
    this.sink = sink;
  }

  get isOn(): boolean {
    return this.start !== null;
  }

  begin(options: ResetOptions | undefined): void {
    this.start = { ...options };
    this.played = [];
    this.observations = [];
  }

  drop(): void {
    this.start = null;
  }

  /** Stores a copy, as environments may reuse their arrays. */
  see(observation: Seen): void {
    this.observations.push(structuredClone(observation));
  }

  add(played: Played): void {
    this.played.push(played);
  }

  /** Passes the episode to the sink, if it has a step. */
  finish(): void {
    const { start, played, observations, agents, spec } = this;
    this.start = null;
    if (start === null || played.length === 0) return;
    const last = played.length - 1;
    const isLeft = !played[last]!.terminated && !played[last]!.truncated;
    this.sink.write({
      id: this.count++,
      seed: start.seed ?? null,
      position: start.position ?? null,
      moves: start.moves ?? null,
      spec,
      agents,
      actors: Uint8Array.from(played, ({ actor }) => actor),
      observations: observations.length === 0 ? null : observations,
      actions: Int32Array.from(played, ({ action }) => action),
      seconds: Float64Array.from(played, ({ options }) => options?.seconds ?? 0),
      rewards: Float64Array.from(played.flatMap(({ rewards }) => rewards)),
      terminations: Uint8Array.from(played, ({ terminated }) => Number(terminated)),
      truncations: Uint8Array.from(played, ({ truncated }, step) =>
        Number(truncated || (isLeft && step === last)),
      ),
    });
  }
}

function recordTurns<Seen>(
  env: TurnEnvironment<Seen>,
  recording: Recording<Seen>,
  isSeen: boolean,
): TurnWrapper<Seen> {
  const see = (): void => {
    if (isSeen) recording.see(env.observe(env.agentSelection));
  };
  return wrapTurn(env, functionWrapper(NAME, 'a sink'), {
    reset(options) {
      env.reset(options);
      recording.finish();
      recording.begin(options);
      see();
    },
    step(action, options) {
      const agent = env.agentSelection;
      env.step(action, options);
      if (action === null || !recording.isOn) return;
      const rewards = env.possibleAgents.map((name) => env.rewards[name] ?? 0);
      recording.add({
        actor: env.possibleAgents.indexOf(agent),
        action,
        options,
        rewards,
        terminated: env.terminations[env.agentSelection] === true,
        truncated: env.truncations[env.agentSelection] === true,
      });
      see();
      if (isOver(env)) recording.finish();
    },
    close() {
      recording.finish();
      env.close();
    },
    restore(state) {
      env.restore(state);
      recording.drop();
    },
  });
}

function recordSteps<Seen>(
  env: Environment<Seen>,
  recording: Recording<Seen>,
  isSeen: boolean,
): EnvWrapper<Seen> {
  const see = (observation: Seen): void => {
    if (isSeen) recording.see(observation);
  };
  return wrapEnv(env, functionWrapper(NAME, 'a sink'), {
    reset(options) {
      const result = env.reset(options);
      recording.finish();
      recording.begin(options);
      see(result.observation);
      return result;
    },
    step(action, options) {
      const result = env.step(action, options);
      if (!recording.isOn) return result;
      const { reward, terminated, truncated } = result;
      recording.add({ actor: 0, action, options, rewards: [reward], terminated, truncated });
      see(result.observation);
      if (terminated || truncated) recording.finish();
      return result;
    },
    close() {
      recording.finish();
      env.close();
    },
    restore(state) {
      env.restore(state);
      recording.drop();
    },
  });
}
