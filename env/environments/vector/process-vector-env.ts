// Needs Node: environments of a vector in processes of their own. Nothing else in env/ imports this.
import { EnvError } from '../../errors.js';
import type { Action } from '../../game.js';
import { within } from '../../processes/deadline.js';
import type { Batch } from '../../spaces/batch.js';
import { createBatch, sampleOfBatch, viewOfBatch, writeBatch } from '../../spaces/batch.js';
import type { Discrete } from '../../spaces/discrete.js';
import type { MultiDiscrete } from '../../spaces/multi-discrete.js';
import { spaceFromJson } from '../../spaces/space-json.js';
import type { Space } from '../../spaces/space.js';
import type { EnvSpec } from '../env-spec.js';
import type { EnvMetadata, EnvState, Observation } from '../environment.js';
import type { EnvKwargs } from '../make.js';
import { batchColumns, InfoColumns } from './batched-infos.js';
import { readVectorKwargs, type VectorKwargs } from './make-vec.js';
import { type Answered, endAll, ProcessConnection, type Share, shareResults } from './process-connection.js';
import { type ProcessOptions, readProcessOptions } from './process-options.js';
import { type ChangeField, unpackInfos } from './packed-infos.js';
import { expectSendable, type FollowValue, type Made, packOrders, type Request } from './process-requests.js';
import { loadFields, type SharedResults } from './shared-batch.js';
import { writeSparseBatch } from './sparse-arrays.js';
import type { Order } from './sub-environments.js';
import { throwFirst, VectorPhases } from './vector-phases.js';
import { batchedSpaces } from './vector-env.js';
import type {
  AsyncVectorEnvironment,
  AutoresetMode,
  VectorReset,
  VectorResetOptions,
  VectorStep,
  VectorStepOptions,
} from './vector-environment.js';

export type { ProcessOptions } from './process-options.js';

/** Milliseconds in which environments close. A process that was stopped never answers. */
const CLOSE_MS = 2000;

/** Processes that have made their environments. */
interface Start {
  readonly connections: readonly ProcessConnection[];
  readonly made: Made;
  readonly kwargs: VectorKwargs;
  /** The results of threads; null for processes. */
  readonly shared: SharedResults | null;
}

/**
 * Several environments in processes or threads of their own, like Gymnasium's `AsyncVectorEnv`: the same seeds and
 * actions have the same results as with `VectorEnv`. Use `makeProcessVec`; `close` ends the processes, and so does the
 * end of this program.
 *
 * An error of an environment is thrown as a `SubEnvironmentError`. If a process ends, all others are ended too, and
 * every later call except `close` throws EnvError `worker-died`, which names the environments of that process.
 */
export class ProcessVectorEnv<Seen = Observation> implements AsyncVectorEnvironment<Seen> {
  readonly numEnvs: number;
  readonly spec: EnvSpec | null;
  readonly metadata: EnvMetadata;
  readonly autoreset: AutoresetMode;
  readonly singleObservationSpace: Space<Seen>;
  readonly singleActionSpace: Discrete;
  readonly observationSpace: Space<Batch<Seen>>;
  readonly actionSpace: MultiDiscrete;
  private readonly connections: readonly ProcessConnection[];
  private readonly phases: VectorPhases;
  /** The vector's own observations; null if each call returns new ones. */
  private readonly own: Batch<Seen> | null;
  private readonly shared: SharedResults | null;
  private death: Error | null = null;

  /** Use `makeProcessVec`. */
  constructor({ connections, made, kwargs, shared }: Start) {
    this.connections = connections;
    this.numEnvs = kwargs.numEnvs;
    this.spec = made.spec;
    this.metadata = made.metadata;
    this.autoreset = kwargs.autoreset ?? 'next-step';
    this.singleObservationSpace = spaceFromJson(made.observationSpace) as unknown as Space<Seen>;
    this.singleActionSpace = spaceFromJson(made.actionSpace) as Discrete;
    const single = { observationSpace: this.singleObservationSpace, actionSpace: this.singleActionSpace };
    const spaces = batchedSpaces(single, this.numEnvs);
    this.observationSpace = spaces.observationSpace;
    this.actionSpace = spaces.actionSpace;
    this.phases = new VectorPhases(this.numEnvs, this.autoreset);
    this.shared = shared;
    this.own = kwargs.copy === false ? this.createOwn() : null;
  }

  /** Process ids; empty for threads. */
  get pids(): readonly number[] {
    return this.connections.flatMap(({ pid }) => pid ?? []);
  }

  async reset(options?: VectorResetOptions): Promise<VectorReset<Seen>> {
    this.assertReady();
    const { observations, infos } = await this.follow(this.phases.ordersOfReset(options));
    return { observations, infos };
  }

  async step(actions: ArrayLike<Action>, options?: VectorStepOptions): Promise<VectorStep<Seen>> {
    this.assertReady();
    return this.follow(this.phases.ordersOfStep(actions, options));
  }

  async render(): Promise<(string | null)[]> {
    this.assertReady();
    return this.askForValues<string | null>({ kind: 'render' });
  }

  /** As `VectorEnvironment.call`, for values that `structuredClone` can copy. */
  async call(name: string, ...args: readonly unknown[]): Promise<unknown[]> {
    this.assertReady();
    this.phases.assertCallable(name);
    expectSendable('arguments', args);
    return this.askForValues({ kind: 'call', name, args });
  }

  async save(): Promise<EnvState> {
    this.assertReady();
    return this.phases.save(await this.askForValues<EnvState>({ kind: 'save' }));
  }

  async restore(state: EnvState): Promise<void> {
    this.assertReady();
    const { envs, accept } = this.phases.readState(state);
    const answers = await this.askAll(({ first, count }) => {
      return { kind: 'restore', states: envs.slice(first, first + count) };
    });
    const failures = answers.flatMap((answer) => answer.failures);
    if (failures.length > 0) await this.askAll(() => ({ kind: 'undo-restore' }));
    throwFirst(failures);
    accept();
  }

  /** Closes the environments and ends the processes, even busy ones and those that do not answer within `CLOSE_MS`. */
  async close(): Promise<void> {
    if (!this.phases.close()) return;
    const isQuiet = this.death === null && !this.connections.some(({ isBusy }) => isBusy);
    try {
      if (!isQuiet) return;
      const answers = await within(
        this.askAll(() => ({ kind: 'close' })),
        CLOSE_MS,
        () => [],
      );
      throwFirst(answers.flatMap(({ failures }) => failures));
    } finally {
      await endAll(this.connections);
    }
  }

  private createOwn(): Batch<Seen> {
    const shared = this.shared?.observations as Batch<Seen> | undefined;
    return shared ?? createBatch(this.singleObservationSpace, this.numEnvs);
  }

  private assertReady(): void {
    this.phases.assertOpen();
    if (this.death !== null) throw this.death;
    if (!this.connections.some(({ isBusy }) => isBusy)) return;
    throw new EnvError('vector-options', 'expected one call at a time, got one while another is in progress');
  }

  private async follow(orders: readonly Order[]): Promise<VectorStep<Seen>> {
    const { numEnvs } = this;
    const answers = await this.askAll<FollowValue>(({ first, count }) => {
      return { kind: 'follow', orders: packOrders(orders.slice(first, first + count)) };
    });
    const observations = this.own ?? createBatch(this.singleObservationSpace, numEnvs);
    if (this.shared !== null && this.own === null) {
      writeBatch(this.singleObservationSpace, this.shared.observations as Batch<Seen>, observations, 0);
    }
    const rewards = new Float64Array(numEnvs);
    const terminations = new Uint8Array(numEnvs);
    const truncations = new Uint8Array(numEnvs);
    const columns = new InfoColumns(numEnvs);
    for (const [index, { value }] of answers.entries()) {
      const { first } = this.connections[index]!.share;
      if (this.shared === null) writeSparseBatch(value.observations, observations, { first, count: numEnvs });
      rewards.set(value.rewards, first);
      terminations.set(value.terminations, first);
      truncations.set(value.truncations, first);
      unpackInfos(value.infos, columns, first, this.loadingOf(first));
    }
    const failures = answers.flatMap((answer) => answer.failures);
    this.phases.update(orders, { terminations, truncations, failures });
    // Arrays that were sent are always new.
    const infos = batchColumns(columns, this.shared !== null && this.own === null);
    return { observations, rewards, terminations, truncations, infos };
  }

  /** The change that is made to received infos of the environments from number `first` on. */
  private loadingOf(first: number): ChangeField {
    const { own, shared, singleObservationSpace } = this;
    if (shared === null) return (value) => value;
    const finals = shared.finals as Batch<Seen>;
    const finalOf = own === null ? sampleOfBatch : viewOfBatch;
    return loadFields(shared, first, (index) => finalOf(singleObservationSpace, finals, index));
  }

  private async askForValues<Value>(request: Request): Promise<Value[]> {
    const answers = await this.askAll<Value[]>(() => request);
    throwFirst(answers.flatMap(({ failures }) => failures));
    return answers.flatMap(({ value }) => value);
  }

  /** Asks all processes at the same time, and ends all of them if one has ended. */
  private async askAll<Value>(requestOf: (share: Share) => Request): Promise<Answered<Value>[]> {
    const asked = this.connections.map((connection) => connection.ask<Value>(requestOf(connection.share)));
    const answers = await Promise.allSettled(asked);
    const refused = answers.find((answer) => answer.status === 'rejected');
    if (refused !== undefined) {
      this.death = refused.reason as Error;
      await endAll(this.connections);
      throw this.death;
    }
    return answers.map((answer) => (answer as PromiseFulfilledResult<Answered<Value>>).value);
  }
}

/** Divides `numEnvs` environments as evenly as possible. */
function divide(numEnvs: number, processes: number): Share[] {
  return Array.from({ length: processes }, (_, index) => {
    const first = Math.floor((index * numEnvs) / processes);
    return { first, count: Math.floor(((index + 1) * numEnvs) / processes) - first };
  });
}

/**
 * Makes several equal environments in processes of their own, with the arguments of `makeVec`.
 *
 * ```ts
 * const envs = await makeProcessVec('gess/Gess', { numEnvs: 16, opponent: 'random' }, { processes: 4 });
 * ```
 *
 * @throws EnvError `vector-options`, `worker-died`; as `makeVec` does.
 */
export async function makeProcessVec(
  id: string,
  kwargs: EnvKwargs & VectorKwargs & { readonly wrappers?: undefined },
  options?: ProcessOptions,
): Promise<ProcessVectorEnv>;
export async function makeProcessVec(
  id: string,
  kwargs: EnvKwargs & VectorKwargs,
  options?: ProcessOptions,
): Promise<ProcessVectorEnv<unknown>>;
export async function makeProcessVec(
  id: string,
  kwargs: EnvKwargs & VectorKwargs,
  options: ProcessOptions = {},
): Promise<ProcessVectorEnv | ProcessVectorEnv<unknown>> {
  const { numEnvs } = readVectorKwargs(id, kwargs).vector;
  expectSendable('kwargs', kwargs);
  const { processes, threads, modules, loadMs } = readProcessOptions(options, numEnvs);
  const connections = divide(numEnvs, processes).map((share) => new ProcessConnection(share, threads));
  const made = await Promise.allSettled(
    connections.map(async (connection) => {
      await connection.load(modules, loadMs);
      const part = { ...kwargs, numEnvs: connection.share.count };
      return connection.ask<Made>({ kind: 'make', id, kwargs: part });
    }),
  );
  const refused = made.find((answer) => answer.status === 'rejected');
  if (refused !== undefined) {
    await endAll(connections);
    throw refused.reason;
  }
  const [first] = made as PromiseFulfilledResult<Answered<Made>>[];
  const shared = threads ? await shareResults(connections, first!.value.value, kwargs) : null;
  return new ProcessVectorEnv({ connections, made: first!.value.value, kwargs, shared });
}
