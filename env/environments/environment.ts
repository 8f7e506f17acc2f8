import type { Action } from '../game.js';
import type { Discrete } from '../spaces/discrete.js';
import type { Space } from '../spaces/space.js';
import type { EnvSpec, RenderMode } from './env-spec.js';

/** What is fixed about an environment, as Gymnasium's `metadata`. */
export interface EnvMetadata {
  /** The id without its version: `gess/Gess`. */
  readonly name: string;
  readonly renderModes: readonly RenderMode[];
}

/** How an episode starts. */
export interface ResetOptions {
  /**
   * Restarts all of the environment's random streams: an integer in `[0, 2^53)`. Left out, the streams go on, so
   * a first seed makes the whole run repeatable.
   */
  readonly seed?: number | undefined;
  /** The text of the first position; left out, the game's initial one. */
  readonly position?: string | undefined;
  /** Legal moves that are played from there, with white space between them. */
  readonly moves?: string | undefined;
}

/**
 * All that makes an environment go on as it would have: the episode so far and its random streams. Plain
 * JSON; `restore` of an environment with an equal spec takes it.
 */
export interface EnvState {
  readonly version: 1;
  readonly [field: string]: unknown;
}

/** What one agent sees. `R`, `C`, `P` are rows, columns and planes; `A` is the number of actions. */
export interface Observation {
  /** `[R, C, P]`, planes fastest, 0..1, from this agent's view. */
  readonly observation: Float32Array;
  /** `[A]` 1 where the action is legal; all 0 for an agent that is not to move. */
  readonly actionMask: Uint8Array;
}

/** What is told of an agent besides its observation. Wrappers may add to it. */
export interface Info {
  /** Legal actions, ascending; none for an agent that is not to move, or when the episode is over. */
  readonly legalActions: Int32Array;
  readonly ply: number;
  readonly [field: string]: unknown;
}

/** What the agent whose turn it is learns before it acts. */
export interface Turn<Seen = Observation> {
  readonly observation: Seen;
  /** What it got since it last acted: 1 for a win, -1 for a loss, else 0. */
  readonly reward: number;
  /** Whether the game has ended by its rules. */
  readonly terminated: boolean;
  /** Whether the episode was cut off. */
  readonly truncated: boolean;
  readonly info: Info;
}

/** What a step may tell besides its action. */
export interface StepOptions {
  /** What the action took off the agent's clock, 0 or more, where the game has clocks; left out, nothing. */
  readonly seconds?: number | undefined;
}

/**
 * An environment for several agents who act in turn, as PettingZoo's AEC environments: `last` tells the agent
 * whose turn it is what it sees and got, `step` plays its action. When an episode is over, each agent in turn is
 * told so by `last` and leaves by `step(null)`, until `agents` is empty. `reset` must come first.
 *
 * ```ts
 * env.reset({ seed: 1 });
 * while (env.agents.length > 0) {
 *   const { info, terminated, truncated } = env.last();
 *   env.step(terminated || truncated ? null : choose(info.legalActions));
 * }
 * ```
 *
 * @see Terry et al. 2021, "PettingZoo: Gym for Multi-Agent Reinforcement Learning".
 */
export interface TurnEnvironment<Seen = Observation> {
  /** What `make` makes an equal one from; null for one that was not made so. */
  readonly spec: EnvSpec | null;
  readonly metadata: EnvMetadata;
  /** What `render` gives; null when it was made without. */
  readonly renderMode: RenderMode | null;
  /** All agents, the first to move first. */
  readonly possibleAgents: readonly string[];
  /** Agents that have not left, in the order of `possibleAgents`. */
  readonly agents: readonly string[];
  /** The agent whose turn it is, or was when the last one left. */
  readonly agentSelection: string;
  /** What each agent that has not left got by the last step. */
  readonly rewards: Readonly<Record<string, number>>;
  /** What each agent that has not left got since it last acted. */
  readonly cumulativeRewards: Readonly<Record<string, number>>;
  readonly terminations: Readonly<Record<string, boolean>>;
  readonly truncations: Readonly<Record<string, boolean>>;
  readonly infos: Readonly<Record<string, Info>>;
  /** The same object for every call with the same agent. */
  observationSpace(agent: string): Space<Seen>;
  /** The same object for every call with the same agent. */
  actionSpace(agent: string): Discrete;
  /**
   * Starts an episode.
   *
   * @throws NotationError, IllegalActionError for a position or moves that cannot be; the episode is as it was.
   */
  reset(options?: ResetOptions): void;
  /** What `agent` sees now; the same whether it is to move or not, but for the mask. */
  observe(agent: string): Seen;
  /** What the selected agent sees, what it got since it last acted, and whether the episode is over. */
  last(): Turn<Seen>;
  /**
   * Plays an action of the selected agent; null is how an agent leaves an episode that is over.
   *
   * @throws IllegalActionError `illegal-action`, `game-over`; nothing has changed.
   */
  step(action: Action | null, options?: StepOptions): void;
  /** The text or SVG of the current position; null in mode `human`, which has written it, and without a mode. */
  render(): string | null;
  /** Gives back what the environment holds; it is of no use afterwards. Any number of calls do no harm. */
  close(): void;
  /** What `restore` goes on from; the environment stays as it is. */
  save(): EnvState;
  /** @throws EnvError `state-mismatch`; the episode is as it was. */
  restore(state: EnvState): void;
}

/** What a step of a single-agent environment returns, as Gymnasium's five values. */
export interface StepResult<Seen = Observation> extends Turn<Seen> {
  /** What this step earned. */
  readonly reward: number;
}

/** What starts an episode of a single-agent environment. */
export interface ResetResult<Seen = Observation> {
  readonly observation: Seen;
  readonly info: Info;
}

/** An environment for one agent, as Gymnasium's `Env`. `reset` must come first. */
export interface Environment<Seen = Observation> {
  readonly spec: EnvSpec | null;
  readonly metadata: EnvMetadata;
  readonly renderMode: RenderMode | null;
  readonly observationSpace: Space<Seen>;
  readonly actionSpace: Discrete;
  /** @throws NotationError, IllegalActionError; the episode is as it was. */
  reset(options?: ResetOptions): ResetResult<Seen>;
  /** @throws IllegalActionError `illegal-action`, `game-over`; nothing has changed. */
  step(action: Action, options?: StepOptions): StepResult<Seen>;
  /** The text or SVG of the current position; null in mode `human`, which has written it, and without a mode. */
  render(): string | null;
  /** Gives back what the environment holds; it is of no use afterwards. Any number of calls do no harm. */
  close(): void;
  /** What `restore` goes on from; the environment stays as it is. */
  save(): EnvState;
  /** @throws EnvError `state-mismatch`; the episode is as it was. */
  restore(state: EnvState): void;
}
