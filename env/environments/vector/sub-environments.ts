import { EnvError } from '../../errors.js';
import type { Action } from '../../game.js';
import type { Batch } from '../../spaces/batch.js';
import { createBatch, sampleOfBatch, viewOfBatch } from '../../spaces/batch.js';
import type { Environment, EnvState, Info, ResetOptions } from '../environment.js';
import { quote } from '../../text/quoted-text.js';
import { BatchRows } from './batch-rows.js';

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

/** Arrays for observations, which each step overwrites. */
export interface ObservationMemory<Seen> {
  /** `[n, …]` zeros for the current observations. */
  readonly observations?: Batch<Seen> | undefined;
  /** `[n, …]` zeros for the last observations of episodes, if environments are reset at once. */
  readonly finals?: Batch<Seen> | undefined;
}

/** The environments of a vector that one process holds. */
export class SubEnvironments<Seen> {
  readonly envs: readonly Environment<Seen>[];
  private readonly resetsAtOnce: boolean;
  private readonly rows: BatchRows<Seen>;
  private readonly finals: BatchRows<Seen> | null;
  private infos: (Info | null)[];

  /**
   * @param envs 1 or more, with equal spaces.
   * @param resetsAtOnce whether the step that ends an episode resets the environment too.
   * @param memory that all observations are written to; by default, new arrays, and final observations are copies.
   */
  constructor(
    envs: readonly Environment<Seen>[],
    resetsAtOnce: boolean,
    { observations, finals }: ObservationMemory<Seen> = {},
  ) {
    const { observationSpace } = envs[0]!;
    this.envs = envs;
    this.resetsAtOnce = resetsAtOnce;
    this.rows = new BatchRows(observationSpace, envs.length, observations);
    this.finals = finals === undefined ? null : new BatchRows(observationSpace, envs.length, finals);
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
    return { observations: this.rows.batch, ...results, infos: this.infos, failures };
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
    const observations = this.rows.copy();
    const before = this.save().values as readonly EnvState[];
    const undo = (): void => {
      this.each((env, index) => {
        env.restore(before[index]!);
      });
      this.rows.overwrite(observations);
      this.infos = infos;
    };
    const { failures } = this.each((env, index) => {
      env.restore(states[index]!);
    });
    if (failures.length > 0) {
      undo();
      return { failures, undo: () => undefined };
    }
    this.rows.overwrite(createBatch(this.envs[0]!.observationSpace, this.envs.length));
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

  private reset(index: number, options: ResetOptions, final?: FinalInfo): void {
    const env = this.envs[index]!;
    const { observation, info } = env.reset(options);
    this.rows.write(index, observation);
    this.infos[index] = final === undefined ? info : { ...info, ...final };
  }

  private step(index: number, { action, seconds }: StepOrder, results: Numbers): void {
    const env = this.envs[index]!;
    const { observation, reward, terminated, truncated, info } = env.step(
      action,
      seconds === undefined ? undefined : { seconds },
    );
    results.rewards[index] = reward;
    results.terminations[index] = Number(terminated);
    results.truncations[index] = Number(truncated);
    if (!this.resetsAtOnce || !(terminated || truncated)) {
      this.rows.write(index, observation);
      this.infos[index] = info;
      return;
    }
    const finalObservation = this.keepFinal(index, observation);
    // Copied, since the reset may reuse the arrays.
    this.reset(index, {}, { finalObservation, finalInfo: copyArrays(info) });
  }

  private keepFinal(index: number, observation: Seen): Seen {
    const { observationSpace } = this.envs[index]!;
    const { finals, rows } = this;
    (finals ?? rows).write(index, observation);
    return finals === null
      ? sampleOfBatch(observationSpace, rows.batch, index)
      : viewOfBatch(observationSpace, finals.batch, index);
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
  // Every object has the members of `Object.prototype`, such as its constructor.
  while (!(name in holder) || name in Object.prototype) {
    if (!('env' in holder) || typeof holder.env !== 'object' || holder.env === null) {
      throw new EnvError('vector-options', `expected a member of the environments, got ${quote(name)}`);
    }
    holder = holder.env;
  }
  return holder;
}
