import type { Action } from '../../game.js';
import type { Batch } from '../../spaces/batch.js';
import type { Discrete } from '../../spaces/discrete.js';
import type { MultiDiscrete } from '../../spaces/multi-discrete.js';
import type { Space } from '../../spaces/space.js';
import type { EnvSpec } from '../env-spec.js';
import type { EnvMetadata, EnvState, Observation, ResetOptions } from '../environment.js';

/**
 * When an environment of a vector is reset after its episode, as in Gymnasium 1.x's `AutoresetMode`:
 *
 * - `next-step`: by the next step, whatever its action, with reward 0, no end and the first observation;
 * - `same-step`: by the step that ends the episode: its reward and end belong to the old episode, its observation and
 *   info to the new one; `finalObservation` and `finalInfo` of the infos are the last of the old one;
 * - `disabled`: by the caller, with `resetMask`, before the next step.
 */
export type AutoresetMode = 'next-step' | 'same-step' | 'disabled';

/**
 * The infos of all environments, batched like Gymnasium's: field `name` has the values of all environments, and the
 * mask `_name`, `[numEnvs]`, is 1 for those that have one. Numbers become a `Float64Array` with 0 for missing values,
 * booleans a `Uint8Array`, plain objects a batched object, and anything else a list with null for missing values.
 */
export interface VectorInfos {
  /** `[numEnvs]` */
  readonly legalActions: readonly Int32Array[];
  /** `[numEnvs]` */
  readonly ply: Float64Array;
  /** `[numEnvs]` last observations of the episodes that ended in this step and were reset by it, else null. */
  readonly finalObservation?: readonly unknown[];
  /** The last infos of those episodes. */
  readonly finalInfo?: VectorInfos;
  readonly [name: string]: unknown;
}

/** The result of a reset. */
export interface VectorReset<Seen = Observation> {
  /** `[numEnvs, …]` in each array. */
  readonly observations: Batch<Seen>;
  readonly infos: VectorInfos;
}

/** The result of a step of all environments. */
export interface VectorStep<Seen = Observation> extends VectorReset<Seen> {
  /** `[numEnvs]` */
  readonly rewards: Float64Array;
  /** `[numEnvs]` 0 or 1. */
  readonly terminations: Uint8Array;
  /** `[numEnvs]` 0 or 1. */
  readonly truncations: Uint8Array;
}

/** Options of a reset. */
export interface VectorResetOptions extends Omit<ResetOptions, 'seed'> {
  /**
   * Environment `i` gets `seed + i` of a number, or entry `i` of a list; with undefined it continues its random
   * streams.
   */
  readonly seed?: number | readonly (number | undefined)[] | undefined;
  /**
   * `[numEnvs]` 1 for environments to reset, 0 for those that keep their state and observation. By default all are
   * reset.
   */
  readonly resetMask?: ArrayLike<number> | undefined;
}

/** Optional arguments of a step. */
export interface VectorStepOptions {
  /** `[numEnvs]` time that each action takes off its agent's clock, for games with clocks. */
  readonly seconds?: ArrayLike<number> | undefined;
}

/** Constants of a vector. */
export interface VectorFacts<Seen = Observation> {
  /** Number of environments, at least 1. */
  readonly numEnvs: number;
  /** The spec from which `make` makes an equal environment; null for environments made in other ways. */
  readonly spec: EnvSpec | null;
  readonly metadata: EnvMetadata;
  readonly autoreset: AutoresetMode;
  /** The space of each environment. */
  readonly singleObservationSpace: Space<Seen>;
  readonly singleActionSpace: Discrete;
  /** `batchSpace` of the single space. */
  readonly observationSpace: Space<Batch<Seen>>;
  /** The actions of all environments. */
  readonly actionSpace: MultiDiscrete;
}

/**
 * Several equal environments for one agent that are reset and stepped together, like Gymnasium's `VectorEnv`.
 *
 * ```ts
 * let { infos } = envs.reset({ seed: 1 });
 * for (let step = 0; step < 1000; step++) {
 *   const result = envs.step(infos.legalActions.map(choose));
 *   infos = result.infos;
 * }
 * ```
 *
 * An error of an environment is thrown as a `SubEnvironmentError` with its index, the lowest of several. The other
 * environments have moved on, so only a reset of all, `restore` or `close` may follow.
 */
export interface VectorEnvironment<Seen = Observation> extends VectorFacts<Seen> {
  /**
   * Starts an episode in all environments, or in those of `resetMask`.
   *
   * @throws EnvError `reset-options`, `vector-options`, `seed-range`, `reset-needed` (the mask omits an environment
   *   that was never reset); nothing has changed. SubEnvironmentError.
   */
  reset(options?: VectorResetOptions): VectorReset<Seen>;
  /**
   * Plays an action in each environment. The action of an environment that is being reset is ignored.
   *
   * @param actions `[numEnvs]`
   * @throws EnvError `step-options`, `vector-options`; `reset-needed` before the first reset, and with `disabled` after
   *   an episode; nothing has changed. SubEnvironmentError.
   */
  step(actions: ArrayLike<Action>, options?: VectorStepOptions): VectorStep<Seen>;
  /** `[numEnvs]` the result of each environment's `render`. */
  render(): (string | null)[];
  /**
   * `[numEnvs]` the value of each environment's member `name`, or its result when called with `args`, like Gymnasium's
   * `call`. It is looked up in the outermost wrapper that has it.
   *
   * @throws EnvError `vector-options` for an unknown name, or one of `reset`, `step`, `restore` and `close`, which
   *   would desynchronize the vector; SubEnvironmentError.
   */
  call(name: string, ...args: readonly unknown[]): unknown[];
  /** The state of the vector, for `restore`. */
  save(): EnvState;
  /**
   * Restores a state from `save`. As with a single environment, there are no observations before the next step: after a
   * reset with a mask, the environments not reset have zeros, and infos with mask 0.
   *
   * @throws EnvError `state-mismatch`; nothing has changed.
   */
  restore(state: EnvState): void;
  /** Closes all environments. Further calls have no effect. */
  close(): void;
}

/** A `VectorEnvironment` whose environments run elsewhere. Only one call may be in progress at a time. */
export interface AsyncVectorEnvironment<Seen = Observation> extends VectorFacts<Seen> {
  /** As `VectorEnvironment.reset`. */
  reset(options?: VectorResetOptions): Promise<VectorReset<Seen>>;
  /** As `VectorEnvironment.step`. */
  step(actions: ArrayLike<Action>, options?: VectorStepOptions): Promise<VectorStep<Seen>>;
  /** As `VectorEnvironment.render`. */
  render(): Promise<(string | null)[]>;
  /** As `VectorEnvironment.call`. */
  call(name: string, ...args: readonly unknown[]): Promise<unknown[]>;
  /** As `VectorEnvironment.save`. */
  save(): Promise<EnvState>;
  /** As `VectorEnvironment.restore`. */
  restore(state: EnvState): Promise<void>;
  /** As `VectorEnvironment.close`. */
  close(): Promise<void>;
}
