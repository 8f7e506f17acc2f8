import type { Action } from '../../game.js';
import type { Batch } from '../../spaces/batch.js';
import type { Discrete } from '../../spaces/discrete.js';
import type { MultiDiscrete } from '../../spaces/multi-discrete.js';
import type { Space } from '../../spaces/space.js';
import type { EnvSpec } from '../env-spec.js';
import type { EnvMetadata, EnvState, Observation, ResetOptions } from '../environment.js';

/**
 * When an environment of a vector whose episode is over begins again, as Gymnasium 1.x's `AutoresetMode`:
 *
 * - `next-step`: the next step resets it, whatever its action: reward 0, not over, first observation;
 * - `same-step`: the step that ends the episode resets it too: reward and end are of the old episode, observation
 *   and info of the new one; `finalObservation` and `finalInfo` of the infos have the old one's last;
 * - `disabled`: the caller resets it, by `resetMask`, before the next step.
 */
export type AutoresetMode = 'next-step' | 'same-step' | 'disabled';

/**
 * The infos of all environments as one, as Gymnasium's: `name` has what each told under that name, and `_name`,
 * `[numEnvs]`, is 1 where it told something. Numbers are a `Float64Array` with 0 where nothing was told, booleans a
 * `Uint8Array`, plain objects are objects of the same kind, and anything else is a list with null.
 */
export interface VectorInfos {
  /** `[numEnvs]` */
  readonly legalActions: readonly Int32Array[];
  /** `[numEnvs]` */
  readonly ply: Float64Array;
  /** `[numEnvs]` the last observations of episodes that ended and began again in this step, else null. */
  readonly finalObservation?: readonly unknown[];
  /** The last infos of those episodes. */
  readonly finalInfo?: VectorInfos;
  readonly [name: string]: unknown;
}

/** What the environments show after a reset. */
export interface VectorReset<Seen = Observation> {
  /** `[numEnvs, …]` in each array. */
  readonly observations: Batch<Seen>;
  readonly infos: VectorInfos;
}

/** What a step of all environments returns. */
export interface VectorStep<Seen = Observation> extends VectorReset<Seen> {
  /** `[numEnvs]` */
  readonly rewards: Float64Array;
  /** `[numEnvs]` 0 or 1. */
  readonly terminations: Uint8Array;
  /** `[numEnvs]` 0 or 1. */
  readonly truncations: Uint8Array;
}

/** How episodes start. */
export interface VectorResetOptions extends Omit<ResetOptions, 'seed'> {
  /** Of one number, environment `i` gets the seed `seed + i`; of a list, number `i`: undefined lets its streams go on. */
  readonly seed?: number | readonly (number | undefined)[] | undefined;
  /**
   * `[numEnvs]` 1 where an environment is reset, 0 where it stays as it is and shows what it showed; left out, all are
   * reset.
   */
  readonly resetMask?: ArrayLike<number> | undefined;
}

/** What a step may tell besides its actions. */
export interface VectorStepOptions {
  /** `[numEnvs]` what each action took off its agent's clock, where the game has clocks. */
  readonly seconds?: ArrayLike<number> | undefined;
}

/** What is fixed about a vector. */
export interface VectorFacts<Seen = Observation> {
  /** How many environments there are, 1 or more. */
  readonly numEnvs: number;
  /** What `make` makes an environment equal to each of them from; null where they were not made so. */
  readonly spec: EnvSpec | null;
  readonly metadata: EnvMetadata;
  readonly autoreset: AutoresetMode;
  /** The space of each environment. */
  readonly singleObservationSpace: Space<Seen>;
  readonly singleActionSpace: Discrete;
  /** `batchSpace` of the single one. */
  readonly observationSpace: Space<Batch<Seen>>;
  /** The actions of all environments. */
  readonly actionSpace: MultiDiscrete;
}

/**
 * Several equal environments for one agent that are reset and stepped together, as Gymnasium's `VectorEnv`.
 *
 * ```ts
 * let { infos } = envs.reset({ seed: 1 });
 * for (let step = 0; step < 1000; step++) {
 *   const result = envs.step(infos.legalActions.map(choose));
 *   infos = result.infos;
 * }
 * ```
 *
 * What an environment throws comes out as a `SubEnvironmentError` with its number, the lowest of several; the others
 * have gone on, so nothing but a reset of all, `restore` or `close` can follow.
 */
export interface VectorEnvironment<Seen = Observation> extends VectorFacts<Seen> {
  /**
   * Starts an episode in all environments, or in those of `resetMask`.
   *
   * @throws EnvError `vector-options`, `seed-range`, `reset-needed` (a mask that leaves out one that was never reset);
   * nothing has changed. SubEnvironmentError.
   */
  reset(options?: VectorResetOptions): VectorReset<Seen>;
  /**
   * Plays an action in each environment. That of one which is being reset counts for nothing.
   *
   * @param actions `[numEnvs]`
   * @throws EnvError `vector-options`; `reset-needed` before a reset, and with `disabled` for an episode that is over;
   * nothing has changed. SubEnvironmentError.
   */
  step(actions: ArrayLike<Action>, options?: VectorStepOptions): VectorStep<Seen>;
  /** `[numEnvs]` what each environment's `render` gives. */
  render(): (string | null)[];
  /**
   * `[numEnvs]` what each environment's member `name` is, or returns when called with `args`, as Gymnasium's `call`:
   * of its outermost wrapper that has one.
   *
   * @throws EnvError `vector-options` for a name that is not there, or one of `reset`, `step`, `restore` and `close`, which
   * would take it out of step; SubEnvironmentError.
   */
  call(name: string, ...args: readonly unknown[]): unknown[];
  /** What `restore` goes on from; nothing changes. */
  save(): EnvState;
  /**
   * Goes on from what `save` gave. As with one environment, it shows nothing before the next step: after a reset
   * with a mask, those not reset show zeros, and the masks of the infos are 0 for them.
   *
   * @throws EnvError `state-mismatch`; all is as it was.
   */
  restore(state: EnvState): void;
  /** Closes all environments. Any number of calls do no harm. */
  close(): void;
}

/** As `VectorEnvironment`, of environments elsewhere. One call at a time: wait for each before the next. */
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
