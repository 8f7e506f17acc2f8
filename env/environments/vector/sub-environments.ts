import { EnvError } from '../../errors.js';
import type { Action } from '../../game.js';
import type { Batch } from '../../spaces/batch.js';
import { createBatch, sampleOfBatch, writeBatch, writeSample } from '../../spaces/batch.js';
import type { Environment, EnvState, Info, ResetOptions } from '../environment.js';
import { quote } from '../../text/quoted-text.js';

/** A reset or step of one environment; null leaves it unchanged. */
export type Order =
  { readonly reset: ResetOptions } | { readonly action: Action; readonly seconds: number | undefined } | null;

/** An error that an environment threw. */
export interface Failure {
  /** Index of the environment. */
  readonly index: number;
  readonly error: Error;
}

/** Results of the orders of `n` environments. */
export interface OrderResults<Seen> {
  /** `[n, …]` current observations; environments without an order keep theirs. */
  readonly observations: Batch<Seen>;
  /** `[n]` 0 after a reset, or without an order. */
  readonly rewards: Float64Array;
  /** `[n]` */
  readonly terminations: Uint8Array;
  /** `[n]` */
  readonly truncations: Uint8Array;
  /** `[n]` null for an environment that has had no order since it was made or restored. */
  readonly infos: readonly (Info | null)[];
  readonly failures: readonly Failure[];
}

/** A value from each environment. */
export interface Answers<Value> {
  /** `[n]` undefined for an environment that threw. */
  readonly values: readonly (Value | undefined)[];
  readonly failures: readonly Failure[];
}

/** The environments of a vector that one process holds. */
export class SubEnvironments<Seen> {
  readonly envs: readonly Environment<Seen>[];
  private readonly resetsAtOnce: boolean;
  private readonly fixed: Batch<Seen> | null;
  private observations: Batch<Seen>;
  private infos: (Info | null)[];

  /**
   * @param envs 1 or more, with equal spaces.
   * @param resetsAtOnce whether the step that ends an episode resets the environment too.
   * @param fixed zeros that all observations are written to; by default new arrays.
   */
  constructor(envs: readonly Environment<Seen>[], resetsAtOnce: boolean, fixed: Batch<Seen> | null = null) {
    this.envs = envs;
    this.resetsAtOnce = resetsAtOnce;
    this.fixed = fixed;
    this.observations = fixed ?? this.createObservations();
    this.infos = envs.map(() => null);
  }

  /**
   * Carries out the orders of all environments, even if one throws.
   *
   * @param orders `[n]`
   * @returns arrays that the environments own: the next orders overwrite them.
   */
  follow(orders: readonly Order[]): OrderResults<Seen> {
    const count = this.envs.length;
    const results = {
      rewards: new Float64Array(count),
      terminations: new Uint8Array(count),
      truncations: new Uint8Array(count),
    };
    const failures: Failure[] = [];
    for (let index = 0; index < count; index++) {
      const order = orders[index];
      if (order === null || order === undefined) continue;
      try {
        if ('reset' in order) this.reset(index, order.reset);
        else this.step(index, order, results);
      } catch (error) {
        failures.push({ index, error: asError(error) });
      }
    }
    return { observations: this.observations, ...results, infos: this.infos, failures };
  }

  /** The result of each environment's `render`. */
  render(): Answers<string | null> {
    return this.each((env) => env.render());
  }

  /** The value of a member of each environment, or its result if it is a function. */
  call(name: string, args: readonly unknown[]): Answers<unknown> {
    return this.each((env) => {
      const holder = holderOf(env, name);
      const member: unknown = Reflect.get(holder, name, holder);
      return typeof member === 'function' ? (Reflect.apply(member, holder, args) as unknown) : member;
    });
  }

  /** The result of each environment's `save`. */
  save(): Answers<EnvState> {
    return this.each((env) => env.save());
  }

  /**
   * Restores states from `save`. If one is rejected, all environments stay as they were.
   *
   * @returns the failures, and a function that undoes the restoration.
   */
  restore(states: readonly EnvState[]): {
    readonly failures: readonly Failure[];
    /** Undoes the restoration. */
    readonly undo: () => void;
  } {
    const { infos } = this;
    const observations = this.fixed === null ? this.observations : this.copyObservations();
    const before = this.save().values as readonly EnvState[];
    const undo = (): void => {
      this.each((env, index) => {
        env.restore(before[index]!);
      });
      this.show(observations);
      this.infos = infos;
    };
    const { failures } = this.each((env, index) => {
      env.restore(states[index]!);
    });
    if (failures.length > 0) {
      undo();
      return { failures, undo: () => undefined };
    }
    this.show(this.createObservations());
    this.infos = this.envs.map(() => null);
    return { failures, undo };
  }

  /** Closes all environments, even if one throws. */
  close(): Answers<void> {
    return this.each((env) => {
      env.close();
    });
  }

  private each<Value>(ask: (env: Environment<Seen>, index: number) => Value): Answers<Value> {
    const failures: Failure[] = [];
    const values = this.envs.map((env, index) => {
      try {
        return ask(env, index);
      } catch (error) {
        failures.push({ index, error: asError(error) });
        return undefined;
      }
    });
    return { values, failures };
  }

  private createObservations(): Batch<Seen> {
    return createBatch(this.envs[0]!.observationSpace, this.envs.length);
  }

  private copyObservations(): Batch<Seen> {
    const copy = this.createObservations();
    writeBatch(this.envs[0]!.observationSpace, this.observations, copy, 0);
    return copy;
  }

  private show(observations: Batch<Seen>): void {
    if (this.fixed === null) this.observations = observations;
    else writeBatch(this.envs[0]!.observationSpace, observations, this.fixed, 0);
  }

  private reset(index: number, options: ResetOptions, final?: FinalInfo): void {
    const env = this.envs[index]!;
    const { observation, info } = env.reset(options);
    writeSample(env.observationSpace, observation, this.observations, index);
    this.infos[index] = final === undefined ? info : { ...info, ...final };
  }

  private step(index: number, { action, seconds }: StepOrder, results: Numbers): void {
    const env = this.envs[index]!;
    const space = env.observationSpace;
    const { observation, reward, terminated, truncated, info } = env.step(
      action,
      seconds === undefined ? undefined : { seconds },
    );
    results.rewards[index] = reward;
    results.terminations[index] = Number(terminated);
    results.truncations[index] = Number(truncated);
    writeSample(space, observation, this.observations, index);
    if (!this.resetsAtOnce || !(terminated || truncated)) {
      this.infos[index] = info;
      return;
    }
    // Copied, since the reset may reuse the arrays.
    const finalObservation = sampleOfBatch(space, this.observations, index);
    this.reset(index, {}, { finalObservation, finalInfo: copyArrays(info) });
  }
}

type StepOrder = Extract<Order, { action: Action }>;
type Numbers = Pick<OrderResults<unknown>, 'rewards' | 'terminations' | 'truncations'>;

interface FinalInfo {
  readonly finalObservation: unknown;
  readonly finalInfo: Info;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** The same info with copied arrays. */
function copyArrays(info: Info): Info {
  const fields = Object.entries(info).map(([name, value]) => {
    const isArray = ArrayBuffer.isView(value) && 'slice' in value;
    return [name, isArray ? (value as Uint8Array).slice() : value] as const;
  });
  return Object.fromEntries(fields) as unknown as Info;
}

/** The outermost wrapper that has the member, or the environment inside all wrappers. */
function holderOf(env: object, name: string): object {
  let holder: object = env;
  while (!(name in holder)) {
    if (!('env' in holder) || typeof holder.env !== 'object' || holder.env === null) {
      throw new EnvError('vector-options', `expected a member of the environments, got ${quote(name)}`);
    }
    holder = holder.env;
  }
  return holder;
}
