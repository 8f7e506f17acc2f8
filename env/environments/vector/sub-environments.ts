import { EnvError } from '../../errors.js';
import type { Action } from '../../game.js';
import type { Batch } from '../../spaces/batch.js';
import { createBatch, sampleOfBatch, writeSample } from '../../spaces/batch.js';
import type { Environment, EnvState, Info, ResetOptions } from '../environment.js';

/** What an environment is to do; null to stay as it is. */
export type Order =
  { readonly reset: ResetOptions } | { readonly action: Action; readonly seconds: number | undefined } | null;

/** What an environment threw. */
export interface Failure {
  /** Which one, of those that were asked. */
  readonly index: number;
  readonly error: Error;
}

/** What `n` environments told when they had done as ordered. */
export interface Told<Seen> {
  /** `[n, …]` what all show now: those that stayed, what they showed before. */
  readonly observations: Batch<Seen>;
  /** `[n]` 0 for those that were reset, or stayed. */
  readonly rewards: Float64Array;
  /** `[n]` */
  readonly terminations: Uint8Array;
  /** `[n]` */
  readonly truncations: Uint8Array;
  /** `[n]` null where nothing was told since the environments were made or restored. */
  readonly infos: readonly (Info | null)[];
  readonly failures: readonly Failure[];
}

/** What each environment answered. */
export interface Answers<Value> {
  /** `[n]` undefined for one that threw. */
  readonly values: readonly (Value | undefined)[];
  readonly failures: readonly Failure[];
}

/** Environments of a vector that one process holds. */
export class SubEnvironments<Seen> {
  readonly envs: readonly Environment<Seen>[];
  private readonly resetsAtOnce: boolean;
  private observations: Batch<Seen>;
  private infos: (Info | null)[];

  /**
   * @param envs 1 or more, with equal spaces.
   * @param resetsAtOnce whether the step that ends an episode resets the environment too.
   */
  constructor(envs: readonly Environment<Seen>[], resetsAtOnce: boolean) {
    this.envs = envs;
    this.resetsAtOnce = resetsAtOnce;
    this.observations = this.createObservations();
    this.infos = envs.map(() => null);
  }

  /**
   * Does what is ordered, in all environments even where one throws.
   *
   * @param orders `[n]`
   * @returns arrays that are the environments' own: what they show changes with their next order.
   */
  follow(orders: readonly Order[]): Told<Seen> {
    const count = this.envs.length;
    const told = {
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
        else this.step(index, order, told);
      } catch (error) {
        failures.push({ index, error: asError(error) });
      }
    }
    return { observations: this.observations, ...told, infos: this.infos, failures };
  }

  /** What each environment's `render` gives. */
  render(): Answers<string | null> {
    return this.each((env) => env.render());
  }

  /** What a member of each is, or returns when it is called. */
  call(name: string, args: readonly unknown[]): Answers<unknown> {
    return this.each((env) => {
      const holder = holderOf(env, name);
      const member: unknown = Reflect.get(holder, name, holder);
      return typeof member === 'function' ? (Reflect.apply(member, holder, args) as unknown) : member;
    });
  }

  /** What each environment's `save` gives. */
  save(): Answers<EnvState> {
    return this.each((env) => env.save());
  }

  /**
   * Goes on from states that `save` gave. Where one is refused, all is as it was.
   *
   * @returns what takes it back.
   */
  restore(states: readonly EnvState[]): {
    readonly failures: readonly Failure[];
    /** Takes it back. */
    readonly undo: () => void;
  } {
    const { observations, infos } = this;
    const before = this.save().values as readonly EnvState[];
    const undo = (): void => {
      this.each((env, index) => {
        env.restore(before[index]!);
      });
      this.observations = observations;
      this.infos = infos;
    };
    const { failures } = this.each((env, index) => {
      env.restore(states[index]!);
    });
    if (failures.length > 0) {
      undo();
      return { failures, undo: () => undefined };
    }
    this.observations = this.createObservations();
    this.infos = this.envs.map(() => null);
    return { failures, undo };
  }

  /** Closes all, also where one throws. */
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

  private reset(index: number, options: ResetOptions, final?: FinalTold): void {
    const env = this.envs[index]!;
    const { observation, info } = env.reset(options);
    writeSample(env.observationSpace, observation, this.observations, index);
    this.infos[index] = final === undefined ? info : { ...info, ...final };
  }

  private step(index: number, { action, seconds }: StepOrder, told: Numbers): void {
    const env = this.envs[index]!;
    const space = env.observationSpace;
    const { observation, reward, terminated, truncated, info } = env.step(
      action,
      seconds === undefined ? undefined : { seconds },
    );
    told.rewards[index] = reward;
    told.terminations[index] = Number(terminated);
    told.truncations[index] = Number(truncated);
    writeSample(space, observation, this.observations, index);
    if (!this.resetsAtOnce || !(terminated || truncated)) {
      this.infos[index] = info;
      return;
    }
    // Copied, as the reset may use the same arrays.
    const finalObservation = sampleOfBatch(space, this.observations, index);
    this.reset(index, {}, { finalObservation, finalInfo: copyArrays(info) });
  }
}

type StepOrder = Extract<Order, { action: Action }>;
type Numbers = Pick<Told<unknown>, 'rewards' | 'terminations' | 'truncations'>;

interface FinalTold {
  readonly finalObservation: unknown;
  readonly finalInfo: Info;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** As the environment tells it, but in arrays of its own. */
function copyArrays(info: Info): Info {
  const fields = Object.entries(info).map(([name, value]) => {
    const isArray = ArrayBuffer.isView(value) && 'slice' in value;
    return [name, isArray ? (value as Uint8Array).slice() : value] as const;
  });
  return Object.fromEntries(fields) as unknown as Info;
}

/** The outermost wrapper that has a member, or the environment inside them. */
function holderOf(env: object, name: string): object {
  let holder: object = env;
  while (!(name in holder)) {
    if (!('env' in holder) || typeof holder.env !== 'object' || holder.env === null) {
      throw new EnvError('vector-options', `expected a member of the environments, got '${name}'`);
    }
    holder = holder.env;
  }
  return holder;
}
