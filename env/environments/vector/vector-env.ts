import { EnvError } from '../../errors.js';
import type { Action } from '../../game.js';
import type { Batch } from '../../spaces/batch.js';
import { batchSpace, createBatch, writeBatch } from '../../spaces/batch.js';
import type { Discrete } from '../../spaces/discrete.js';
import { MultiDiscrete } from '../../spaces/multi-discrete.js';
import type { Space } from '../../spaces/space.js';
import type { EnvSpec } from '../env-spec.js';
import type { Environment, EnvMetadata, EnvState, Observation } from '../environment.js';
import { batchInfos } from './batched-infos.js';
import type { Answers, Order, OrderResults } from './sub-environments.js';
import { SubEnvironments } from './sub-environments.js';
import { throwFirst, VectorPhases } from './vector-phases.js';
import type {
  AutoresetMode,
  VectorEnvironment,
  VectorReset,
  VectorResetOptions,
  VectorStep,
  VectorStepOptions,
} from './vector-environment.js';

/** Options of a vector of environments. */
export interface VectorEnvOptions {
  /** Defaults to `next-step`, as in Gymnasium. */
  readonly autoreset?: AutoresetMode | undefined;
  /**
   * Whether returned arrays are new and belong to the caller. Defaults to true. If false, the vector owns observations,
   * also final ones, and the environments own arrays of infos: they are valid until the next call and must not be
   * written to.
   */
  readonly copy?: boolean | undefined;
}

/**
 * Several environments in this process, stepped one after another, like Gymnasium's `SyncVectorEnv`. Use `makeVec`.
 *
 * ```ts
 * const envs = new VectorEnv(Array.from({ length: 8 }, () => () => timeLimit(make(id, kwargs), options)));
 * ```
 */
export class VectorEnv<Seen = Observation> implements VectorEnvironment<Seen> {
  readonly numEnvs: number;
  readonly spec: EnvSpec | null;
  readonly metadata: EnvMetadata;
  readonly autoreset: AutoresetMode;
  readonly singleObservationSpace: Space<Seen>;
  readonly singleActionSpace: Discrete;
  readonly observationSpace: Space<Batch<Seen>>;
  readonly actionSpace: MultiDiscrete;
  /** The environments. Resetting or stepping one directly desynchronizes it from the vector. */
  readonly envs: readonly Environment<Seen>[];
  private readonly phases: VectorPhases;
  private readonly parts: SubEnvironments<Seen>;
  private readonly copy: boolean;

  /**
   * @param create 1 or more functions, each of which makes a new environment.
   * @throws EnvError `vector-options` without functions, or if the environments' spaces differ.
   */
  constructor(create: readonly (() => Environment<Seen>)[], options: VectorEnvOptions = {}) {
    const { autoreset = 'next-step', copy = true } = options;
    if (create.length === 0)
      throw new EnvError('vector-options', 'expected at least one environment, got none');
    this.envs = create.map((make) => make());
    const [first] = this.envs as [Environment<Seen>];
    this.envs.forEach((env, index) => {
      checkSpaces(env, first, index);
    });
    this.numEnvs = this.envs.length;
    this.spec = first.spec;
    this.metadata = first.metadata;
    this.autoreset = autoreset;
    this.singleObservationSpace = first.observationSpace;
    this.singleActionSpace = first.actionSpace;
    const spaces = batchedSpaces(first, this.numEnvs);
    this.observationSpace = spaces.observationSpace;
    this.actionSpace = spaces.actionSpace;
    this.phases = new VectorPhases(this.numEnvs, autoreset);
    const finals =
      copy || autoreset !== 'same-step' ? undefined : createBatch(this.singleObservationSpace, this.numEnvs);
    this.parts = new SubEnvironments(this.envs, autoreset === 'same-step', { finals });
    this.copy = copy;
  }

  reset(options?: VectorResetOptions): VectorReset<Seen> {
    const { observations, infos } = this.follow(this.phases.ordersOfReset(options));
    return { observations, infos };
  }

  step(actions: ArrayLike<Action>, options?: VectorStepOptions): VectorStep<Seen> {
    return this.follow(this.phases.ordersOfStep(actions, options));
  }

  render(): (string | null)[] {
    this.phases.assertOpen();
    return valuesOf(this.parts.render());
  }

  call(name: string, ...args: readonly unknown[]): unknown[] {
    this.phases.assertCallable(name);
    return valuesOf(this.parts.call(name, args));
  }

  save(): EnvState {
    this.phases.assertOpen();
    return this.phases.save(valuesOf(this.parts.save()));
  }

  restore(state: EnvState): void {
    const { envs, accept } = this.phases.readState(state);
    throwFirst(this.parts.restore(envs).failures);
    accept();
  }

  close(): void {
    if (this.phases.close()) throwFirst(this.parts.close().failures);
  }

  private follow(orders: readonly Order[]): VectorStep<Seen> {
    const results = this.parts.follow(orders);
    this.phases.update(orders, results);
    const { rewards, terminations, truncations } = results;
    const observations = this.copy ? this.copyObservations(results) : results.observations;
    const infos = batchInfos(results.infos, this.copy);
    return { observations, rewards, terminations, truncations, infos };
  }

  private copyObservations({ observations }: OrderResults<Seen>): Batch<Seen> {
    const copy = createBatch(this.singleObservationSpace, this.numEnvs);
    writeBatch(this.singleObservationSpace, observations, copy, 0);
    return copy;
  }
}

/** The spaces of a vector of `numEnvs` environments like `env`. */
export function batchedSpaces<Seen>(
  env: Pick<Environment<Seen>, 'observationSpace' | 'actionSpace'>,
  numEnvs: number,
): { readonly observationSpace: Space<Batch<Seen>>; readonly actionSpace: MultiDiscrete } {
  const { n, start } = env.actionSpace;
  return {
    observationSpace: batchSpace(env.observationSpace, numEnvs),
    actionSpace: new MultiDiscrete(
      new Array<number>(numEnvs).fill(n),
      new Array<number>(numEnvs).fill(start),
    ),
  };
}

/**
 * The values of all environments.
 *
 * @throws SubEnvironmentError for the first environment that threw.
 */
export function valuesOf<Value>({ values, failures }: Answers<Value>): Value[] {
  throwFirst(failures);
  return values as Value[];
}

function checkSpaces(env: Environment<unknown>, first: Environment<unknown>, index: number): void {
  for (const [found, expected] of [
    [env.observationSpace, first.observationSpace],
    [env.actionSpace, first.actionSpace],
  ] as const) {
    if (found.equals(expected)) continue;
    const where = `of environment ${index}`;
    throw new EnvError('vector-options', `expected ${String(expected)}, got ${String(found)} ${where}`);
  }
}
