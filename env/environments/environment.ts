import { EnvError } from '../errors.js';
import type { Action } from '../game.js';
import type { Discrete } from '../spaces/discrete.js';
import type { Space } from '../spaces/space.js';
import { describeValue } from '../text/described-value.js';
import { suggestName } from '../text/nearest-name.js';
import { quote } from '../text/quoted-text.js';
import type { EnvSpec, RenderMode } from './env-spec.js';

/** Constant facts about an environment, like Gymnasium's `metadata`. */
export interface EnvMetadata {
  /** The id without its version: `gess/Gess`. */
  readonly name: string;
  readonly renderModes: readonly RenderMode[];
}

/** Options of the start of an episode. */
export interface ResetOptions {
  /**
   * Restarts all random streams of the environment: an integer in `[0, 2^53)`. Without it the streams
   * continue, so one seed makes a whole run reproducible.
   */
  readonly seed?: number | undefined;
  /** The text of the first position. Defaults to the game's initial one. */
  readonly position?: string | undefined;
  /** Legal moves to play from there, separated by white space. */
  readonly moves?: string | undefined;
}

const RESET_OPTIONS = ['seed', 'position', 'moves'] satisfies (keyof ResetOptions)[];

/** Examples of options, by the call that takes them. */
const EXAMPLES = { reset: '{ seed: 1 }', step: '{ seconds: 2.5 }' } as const;

/** Whether a value is an object like `{ … }`, not an array or an instance of a class. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Checks the names of options. A schema would take longer than the call. */
function expectOptions(call: keyof typeof EXAMPLES, options: unknown, names: readonly string[]): void {
  if (!isPlainObject(options)) {
    const expected = `expected options of ${call}, such as ${EXAMPLES[call]}`;
    throw new EnvError(`${call}-options`, `${expected}, got ${describeValue(options)}`);
  }
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    const expected = `expected the options ${names.join(', ')} of ${call}`;
    throw new EnvError(`${call}-options`, `${expected}, got ${quote(name)}${suggestName(name, names)}`);
  }
}

/**
 * Checks the options of a reset, except for the seed.
 *
 * @param names the known options. Defaults to those of `ResetOptions`.
 * @throws EnvError `reset-options`.
 */
export function expectResetOptions(options: unknown, names: readonly string[] = RESET_OPTIONS): void {
  expectOptions('reset', options, names);
  const { position, moves } = options as Readonly<Record<string, unknown>>;
  for (const [name, text] of [
    ['position', position],
    ['moves', moves],
  ] as const) {
    if (text === undefined || typeof text === 'string') continue;
    throw new EnvError('reset-options', `expected ${name} as a text, got ${describeValue(text)}`);
  }
}

/**
 * Everything that determines how an environment continues: the episode so far and the random streams. Plain
 * JSON, for `restore` of an environment with an equal spec.
 */
export interface EnvState {
  readonly version: 1;
  readonly [field: string]: unknown;
}

/** The observation of one agent. `R`, `C`, `P` are rows, columns and planes; `A` is the number of actions. */
export interface Observation {
  /** `[R, C, P]`, planes fastest, 0..1, from this agent's view. */
  readonly observation: Float32Array;
  /** `[A]` 1 for legal actions; all 0 for an agent that is not to move. */
  readonly actionMask: Uint8Array;
}

/** Information for an agent besides its observation. Wrappers may add fields. */
export interface Info {
  /** Legal actions, ascending; empty for an agent that is not to move, or if the episode is over. */
  readonly legalActions: Int32Array;
  readonly ply: number;
  readonly [field: string]: unknown;
}

/** The view of the selected agent before it acts. */
export interface Turn<Seen = Observation> {
  readonly observation: Seen;
  /** The agent's reward since it last acted: 1 for a win, -1 for a loss, else 0. */
  readonly reward: number;
  /** Whether the game has ended by its rules. */
  readonly terminated: boolean;
  /** Whether the episode was cut off by a limit. */
  readonly truncated: boolean;
  readonly info: Info;
}

/** Options of a step. */
export interface StepOptions {
  /** Seconds, 0 or more, to take off the agent's clock, in games with clocks. Defaults to 0. */
  readonly seconds?: number | undefined;
}

/**
 * The seconds of a step, or of all steps of a vector.
 *
 * @throws EnvError `step-options`.
 */
export function secondsOf<Seconds>(
  options: { readonly seconds?: Seconds | undefined } | undefined,
): Seconds | undefined {
  if (options === undefined) return undefined;
  expectOptions('step', options, ['seconds']);
  return options.seconds;
}

/**
 * An environment for several agents who act in turn, like PettingZoo's AEC environments: `last` returns the
 * selected agent's observation and reward, `step` plays its action. After the end of an episode, `last`
 * reports the end to each agent in turn, and each leaves by `step(null)`, until `agents` is empty. `reset`
 * must come first.
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
  /** The spec from which `make` makes an equal environment; null if `make` did not make this one. */
  readonly spec: EnvSpec | null;
  readonly metadata: EnvMetadata;
  /** The mode of `render`; null if it was made without one. */
  readonly renderMode: RenderMode | null;
  /** All agents, the first to move first. */
  readonly possibleAgents: readonly string[];
  /** Agents that have not left, in the order of `possibleAgents`. */
  readonly agents: readonly string[];
  /** The agent whose turn it is; after all have left, the last one. */
  readonly agentSelection: string;
  /** The reward of the last step, for each agent that has not left. */
  readonly rewards: Readonly<Record<string, number>>;
  /** The reward since it last acted, for each agent that has not left. */
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
   * @throws NotationError, IllegalActionError for an invalid position or moves, EnvError `reset-options`, `seed-range`,
   * `env-closed`; the episode is unchanged.
   */
  reset(options?: ResetOptions): void;
  /** The current observation of `agent`. Only the mask depends on whether it is to move. */
  observe(agent: string): Seen;
  /** The selected agent's observation, its reward since it last acted, and whether the episode is over. */
  last(): Turn<Seen>;
  /**
   * Plays an action of the selected agent; null lets it leave an episode that is over.
   *
   * @throws EnvError `reset-needed`, `env-closed`, `step-options`; IllegalActionError `illegal-action`, `game-over`; the
   * environment is unchanged.
   */
  step(action: Action | null, options?: StepOptions): void;
  /**
   * The text or SVG of the current position; null in mode `human`, which has already written it, and without
   * a mode.
   */
  render(): string | null;
  /** Ends the use of the environment: any later call but `close` throws EnvError `env-closed`. Idempotent. */
  close(): void;
  /** The state for `restore`; the environment is unchanged. */
  save(): EnvState;
  /** @throws EnvError `state-mismatch`; the episode is unchanged. */
  restore(state: EnvState): void;
}

/** The result of a step of a single-agent environment, like Gymnasium's five values. */
export interface StepResult<Seen = Observation> extends Turn<Seen> {
  /** The reward of this step. */
  readonly reward: number;
}

/** The result of a reset of a single-agent environment. */
export interface ResetResult<Seen = Observation> {
  readonly observation: Seen;
  readonly info: Info;
}

/** An environment for one agent, like Gymnasium's `Env`. `reset` must come first. */
export interface Environment<Seen = Observation> {
  readonly spec: EnvSpec | null;
  readonly metadata: EnvMetadata;
  readonly renderMode: RenderMode | null;
  readonly observationSpace: Space<Seen>;
  readonly actionSpace: Discrete;
  /**
   * @throws NotationError, IllegalActionError, EnvError `reset-options`, `seed-range`, `env-closed`; the episode is
   * unchanged.
   */
  reset(options?: ResetOptions): ResetResult<Seen>;
  /**
   * @throws EnvError `reset-needed`, `env-closed`, `step-options`; IllegalActionError `illegal-action`, `game-over`; the
   * environment is unchanged.
   */
  step(action: Action, options?: StepOptions): StepResult<Seen>;
  /**
   * The text or SVG of the current position; null in mode `human`, which has already written it, and without
   * a mode.
   */
  render(): string | null;
  /** Ends the use of the environment: any later call but `close` throws EnvError `env-closed`. Idempotent. */
  close(): void;
  /** The state for `restore`; the environment is unchanged. */
  save(): EnvState;
  /** @throws EnvError `state-mismatch`; the episode is unchanged. */
  restore(state: EnvState): void;
}
