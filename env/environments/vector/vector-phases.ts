import * as z from 'zod';
import { EnvError, SubEnvironmentError } from '../../errors.js';
import type { Action } from '../../game.js';
import { namedValues } from '../../named-values.js';
import { validate } from '../../problems-text.js';
import { describeValue } from '../../text/described-value.js';
import { notSaved } from '../saved-episode.js';
import { type EnvState, expectResetOptions, secondsOf } from '../environment.js';
import type { Failure, Order, OrderResults } from './sub-environments.js';
import type { AutoresetMode, VectorResetOptions, VectorStepOptions } from './vector-environment.js';

/** The phase of an environment: before its first reset, in an episode, or after its end. */
type Phase = 'new' | 'on' | 'over';

/** Members that would desynchronize an environment from the vector. */
const OWN_CALLS = new Set(['reset', 'step', 'restore', 'close']);

const MAX_SEED = Number.MAX_SAFE_INTEGER;
const RESET_OPTIONS = ['seed', 'resetMask', 'position', 'moves'] satisfies (keyof VectorResetOptions)[];

const SavedVector = z.strictObject({
  version: z.literal(1),
  autoreset: z.enum(['next-step', 'same-step', 'disabled']),
  phases: z.array(z.enum(['new', 'on', 'over'])),
  envs: z.array(z.object({ version: z.literal(1) }).and(namedValues(z.json()))),
});

/** Validates the calls of a vector and tracks the phase of each environment, in this process or in others. */
export class VectorPhases {
  private readonly numEnvs: number;
  private readonly autoreset: AutoresetMode;
  private phases: Phase[];
  private isClosed = false;

  constructor(numEnvs: number, autoreset: AutoresetMode) {
    this.numEnvs = numEnvs;
    this.autoreset = autoreset;
    this.phases = new Array<Phase>(numEnvs).fill('new');
  }

  /**
   * The orders of a reset.
   *
   * @throws EnvError `env-closed`, `reset-options`, `vector-options`, `seed-range`, `reset-needed`.
   */
  ordersOfReset(options: VectorResetOptions = {}): Order[] {
    this.assertOpen();
    expectResetOptions(options, RESET_OPTIONS);
    const { seed, resetMask, position, moves } = options;
    const seeds = this.seedsOf(seed);
    const mask = this.maskOf(resetMask);
    return seeds.map((own, index) => (mask[index] === 0 ? null : { reset: { seed: own, position, moves } }));
  }

  /**
   * The orders of a step.
   *
   * @throws EnvError `env-closed`, `step-options`, `vector-options`, `reset-needed`.
   */
  ordersOfStep(actions: ArrayLike<Action>, options?: VectorStepOptions): Order[] {
    this.assertOpen();
    const seconds = secondsOf(options);
    this.checkLength('actions', actions);
    if (seconds !== undefined) this.checkLength('seconds', seconds);
    const waiting = this.phases.findIndex((phase) => {
      return phase === 'new' || (phase === 'over' && this.autoreset === 'disabled');
    });
    if (waiting !== -1) {
      const why = this.phases[waiting] === 'new' ? 'it was not reset' : 'its episode is over';
      throw new EnvError('reset-needed', `expected a reset of environment ${waiting} first: ${why}`);
    }
    return this.phases.map((phase, index) =>
      phase === 'over' ? { reset: {} } : { action: actions[index]!, seconds: seconds?.[index] },
    );
  }

  /**
   * Updates the phases by the results of orders.
   *
   * @throws SubEnvironmentError for the first environment that threw.
   */
  update(
    orders: readonly Order[],
    results: Pick<OrderResults<unknown>, 'terminations' | 'truncations' | 'failures'>,
  ): void {
    const { terminations, truncations, failures } = results;
    if (failures.length > 0) {
      this.phases.fill('new');
      throwFirst(failures);
    }
    for (let index = 0; index < this.numEnvs; index++) {
      if (orders[index] === null) continue;
      const isOver = terminations[index] === 1 || truncations[index] === 1;
      this.phases[index] = isOver && this.autoreset !== 'same-step' ? 'over' : 'on';
    }
  }

  /** @throws EnvError `env-closed`. */
  assertOpen(): void {
    if (this.isClosed) throw new EnvError('env-closed', 'expected a vector that was not closed');
  }

  /** @throws EnvError `env-closed`; `vector-options` for no name, or a member that only the vector itself may call. */
  assertCallable(name: string): void {
    this.assertOpen();
    const given: unknown = name;
    if (typeof given !== 'string') {
      throw new EnvError('vector-options', `expected the name of a member, got ${describeValue(given)}`);
    }
    if (!OWN_CALLS.has(given)) return;
    throw new EnvError('vector-options', `expected ${name} to be called on the vector itself`);
  }

  /** @returns false if the vector was closed already. */
  close(): boolean {
    const wasOpen = !this.isClosed;
    this.isClosed = true;
    return wasOpen;
  }

  /** The state of the whole vector, around the states of its environments. */
  save(envs: readonly EnvState[]): EnvState {
    return { version: 1, autoreset: this.autoreset, phases: [...this.phases], envs };
  }

  /**
   * Validates a state from `save`.
   *
   * @returns the states of the environments, and a function to call once they are restored.
   * @throws EnvError `env-closed`, `state-mismatch`.
   */
  readState(state: EnvState): {
    readonly envs: readonly EnvState[];
    /** Restores the phases. */
    readonly accept: () => void;
  } {
    this.assertOpen();
    const { autoreset, phases, envs } = validate(SavedVector, state, notSaved);
    if (autoreset !== this.autoreset || phases.length !== this.numEnvs || envs.length !== this.numEnvs) {
      const expected = `${this.numEnvs} environments with autoreset ${this.autoreset}`;
      throw new EnvError('state-mismatch', `expected ${expected}, got ${envs.length} with ${autoreset}`);
    }
    return {
      envs,
      accept: () => {
        this.phases = phases;
      },
    };
  }

  private seedsOf(seed: VectorResetOptions['seed']): readonly (number | undefined)[] {
    const { numEnvs } = this;
    if (typeof seed === 'object') this.checkLength('seeds', seed);
    const seeds = Array.from({ length: numEnvs }, (_, index) => {
      if (typeof seed === 'object') return seed[index];
      return typeof seed === 'number' ? seed + index : seed;
    });
    const wrong = seeds.find((own) => own !== undefined && !(Number.isSafeInteger(own) && own >= 0));
    if (wrong === undefined) return seeds;
    throw new EnvError('seed-range', `expected seeds of 0 to ${MAX_SEED}, got ${describeValue(wrong)}`);
  }

  private maskOf(resetMask: ArrayLike<number> | undefined): ArrayLike<number> {
    if (resetMask === undefined) return new Uint8Array(this.numEnvs).fill(1);
    this.checkLength('resetMask', resetMask);
    const mask = Array.from(resetMask);
    const wrong = mask.findIndex((value) => value !== 0 && value !== 1);
    if (wrong !== -1 || !mask.includes(1)) {
      const found = wrong === -1 ? 'no 1' : describeValue(mask[wrong]);
      throw new EnvError('vector-options', `expected a resetMask of 0 and 1, got ${found}`);
    }
    const left = this.phases.findIndex((phase, index) => phase === 'new' && mask[index] === 0);
    if (left === -1) return mask;
    throw new EnvError('reset-needed', `expected a reset of environment ${left} too: it was not reset`);
  }

  private checkLength(name: string, list: unknown): void {
    const isList = typeof list === 'object' && list !== null && 'length' in list;
    if (isList && list.length === this.numEnvs) return;
    const found = isList ? describeValue(list.length) : describeValue(list);
    throw new EnvError('vector-options', `expected ${this.numEnvs} ${name}, got ${found}`);
  }
}

/** @throws SubEnvironmentError for the failure of the lowest index, if there is one. */
export function throwFirst(failures: readonly Failure[]): void {
  const [first] = [...failures].sort((one, other) => one.index - other.index);
  if (first !== undefined) throw new SubEnvironmentError(first.index, first.error);
}
