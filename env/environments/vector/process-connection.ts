// Needs Node: the connection to one process of `ProcessVectorEnv`.
import { CheckError, EnvError, IllegalActionError, NotationError, SpaceError } from '../../errors.js';
import { compiledModule } from '../../processes/compiled-module.js';
import { MAX_TIMER_MS, within } from '../../processes/deadline.js';
import { lateImport } from '../../processes/limited-import.js';
import { unpackError } from '../../processes/packed-error.js';
import { ProcessClient, ProcessEnd } from '../../processes/process-client.js';
import { createBatch } from '../../spaces/batch.js';
import type { Discrete } from '../../spaces/discrete.js';
import { spaceFromJson } from '../../spaces/space-json.js';
import type { Space } from '../../spaces/space.js';
import type { VectorKwargs } from './make-vec.js';
import { type Made, type Reply, type Request, unloadable } from './process-requests.js';
import { createSharedResults, partOfResults, type SharedResults } from './shared-batch.js';
import type { Failure } from './sub-environments.js';
import { ThreadClient } from './thread-client.js';

/** Classes of errors that environments throw. */
const ERRORS = [CheckError, EnvError, IllegalActionError, NotationError, SpaceError];

/** Extra milliseconds for a process to report a late module itself; a module that blocks prevents that. */
const GRACE_MS = 1000;

/** The environments of a process: `count` from number `first` on. */
export interface Share {
  readonly first: number;
  readonly count: number;
}

/** The answer of a process; the indices of failures count all environments of the vector. */
export interface Answered<Value> {
  readonly value: Value;
  readonly failures: readonly Failure[];
}

/** A process or thread that holds some environments of a vector and answers one request at a time. */
export class ProcessConnection {
  readonly share: Share;
  private readonly client: ProcessClient<Request, Reply> | ThreadClient;

  /** @param isThread whether to start a thread of this process. */
  constructor(share: Share, isThread: boolean) {
    this.share = share;
    const module = compiledModule(import.meta.url, isThread ? 'thread-worker' : 'process-worker');
    this.client = isThread ? new ThreadClient(module, ERRORS) : new ProcessClient({ module, errors: ERRORS });
  }

  /** Process id; undefined for a thread, and if it could not be started. */
  get pid(): number | undefined {
    return this.client.pid;
  }

  /** Whether a request is in progress. */
  get isBusy(): boolean {
    return this.client.isBusy;
  }

  /**
   * Sends a request and waits for the answer.
   *
   * @throws EnvError `worker-died` if the process ended; the error that the whole request failed with.
   */
  async ask<Value>(request: Request): Promise<Answered<Value>> {
    const { value, failures } = await this.client.ask(request).catch((error: unknown) => {
      throw error instanceof ProcessEnd ? this.diedOf(error) : error;
    });
    const ofVector = failures.map(({ index, error }): Failure => {
      return { index: this.share.first + index, error: unpackError(error, ERRORS) };
    });
    return { value: value as Value, failures: ofVector };
  }

  /**
   * Loads modules in the process, one after another.
   *
   * @param loadMs milliseconds for each.
   * @throws EnvError `vector-options` for one that fails or is late, and then the process may be busy for ever;
   *   `worker-died`; the error of a module that is no definition of a game.
   */
  async load(urls: readonly string[], loadMs: number): Promise<void> {
    // The time of the first one begins when the process has started.
    await this.ask({ kind: 'start' });
    const limitMs = Math.min(loadMs + GRACE_MS, MAX_TIMER_MS);
    for (const url of urls) {
      await within(this.ask({ kind: 'load', url, loadMs }), limitMs, () => {
        throw unloadable(url, lateImport(loadMs, 'busy'));
      });
    }
  }

  /** Ends the process, even if it is busy, and waits until it has ended. */
  async end(): Promise<void> {
    await this.client.end();
  }

  private diedOf({ message }: ProcessEnd): EnvError {
    const { first, count } = this.share;
    const which = count === 1 ? `environment ${first}` : `environments ${first} to ${first + count - 1}`;
    const who = this.client instanceof ThreadClient ? 'thread' : `process ${this.pid ?? 'without an id'}`;
    return new EnvError('worker-died', `the ${who} of ${which} ${message}`);
  }
}

/** Ends all processes and threads. */
export async function endAll(connections: readonly ProcessConnection[]): Promise<void> {
  await Promise.all(connections.map((connection) => connection.end()));
}

/**
 * Allocates shared memory for the results of threads that have made their environments; each thread gets its part.
 *
 * @throws EnvError `worker-died`; RangeError if there is not enough memory. All threads are ended.
 */
export async function shareResults(
  connections: readonly ProcessConnection[],
  { observationSpace, actionSpace }: Made,
  { numEnvs, autoreset }: VectorKwargs,
): Promise<SharedResults> {
  try {
    const space = spaceFromJson(observationSpace) as unknown as Space;
    const shared = createSharedResults({
      one: createBatch(space, 1),
      count: numEnvs,
      numActions: (spaceFromJson(actionSpace) as Discrete).n,
      resetsAtOnce: autoreset === 'same-step',
    });
    await Promise.all(
      connections.map((connection) =>
        connection.ask({ kind: 'share', results: partOfResults(shared, connection.share) }),
      ),
    );
    return shared;
  } catch (error) {
    await endAll(connections);
    throw error;
  }
}
