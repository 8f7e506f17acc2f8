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
import type { Answers, Order, Told } from './sub-environments.js';
import { SubEnvironments } from './sub-environments.js';
import { throwFirst, VectorCourse } from './vector-course.js';
import type {
  AutoresetMode,
  VectorEnvironment,
  VectorReset,
  VectorResetOptions,
  VectorStep,
  VectorStepOptions,
} from './vector-environment.js';

/** How a vector of environments works. */
export interface VectorEnvOptions {
  /** By default `next-step`, as in Gymnasium. */
  readonly autoreset?: AutoresetMode | undefined;
  /**
   * Whether arrays are new and the caller's; by default they are. If not, observations are in the vector's own
   * arrays, and arrays of infos in those of the environments: valid until the next call, not to be written to.
   */
  readonly copy?: boolean | undefined;
}

/**
 * Several environments in this process, one after another, as Gymnasium's `SyncVectorEnv`. `makeVec` makes one.
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
  /** The environments themselves; what resets or steps them takes them out of step with the vector. */
  readonly envs: readonly Environment<Seen>[];
  private readonly course: VectorCourse;
  private readonly parts: SubEnvironments<Seen>;
  private readonly copy: boolean;

  /**
   * @param create 1 or more functions that make a new environment each.
   * @throws EnvError `vector-options` for none, or environments whose spaces differ.
   */
  constructor(create: readonly (() => Environment<Seen>)[], options: VectorEnvOptions = {}) {
    const { autoreset = 'next-step', copy = true } = options;
    if (create.length === 0)
      throw new EnvError('vector-options', 'expected an environment or more, got none');
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
    this.course = new VectorCourse(this.numEnvs, autoreset);
    this.parts = new SubEnvironments(this.envs, autoreset === 'same-step');
    this.copy = copy;
  }

  reset(options?: VectorResetOptions): VectorReset<Seen> {
    const { observations, infos } = this.follow(this.course.ordersOfReset(options));
    return { observations, infos };
  }

  step(actions: ArrayLike<Action>, options?: VectorStepOptions): VectorStep<Seen> {
    return this.follow(this.course.ordersOfStep(actions, options));
  }

  render(): (string | null)[] {
    this.course.assertOpen();
    return valuesOf(this.parts.render());
  }

  call(name: string, ...args: readonly unknown[]): unknown[] {
    this.course.assertCallable(name);
    return valuesOf(this.parts.call(name, args));
  }

  save(): EnvState {
    this.course.assertOpen();
    return this.course.save(valuesOf(this.parts.save()));
  }

  restore(state: EnvState): void {
    const { envs, accept } = this.course.readState(state);
    throwFirst(this.parts.restore(envs).failures);
    accept();
  }

  close(): void {
    if (this.course.close()) throwFirst(this.parts.close().failures);
  }

  private follow(orders: readonly Order[]): VectorStep<Seen> {
    const told = this.parts.follow(orders);
    this.course.note(orders, told);
    const { rewards, terminations, truncations } = told;
    const observations = this.copy ? this.copyObservations(told) : told.observations;
    const infos = batchInfos(told.infos, this.copy);
    return { observations, rewards, terminations, truncations, infos };
  }

  private copyObservations({ observations }: Told<Seen>): Batch<Seen> {
    const copy = createBatch(this.singleObservationSpace, this.numEnvs);
    writeBatch(this.singleObservationSpace, observations, copy, 0);
    return copy;
  }
}

/** The spaces of a vector of environments like this one. */
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

/** What all environments answered. Throws what the first that could not did. */
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
