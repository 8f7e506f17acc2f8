// Needs Node: the connection to one process of `ProcessVectorEnv`.
import { CheckError, EnvError, IllegalActionError, NotationError, SpaceError } from '../../errors.js';
import { compiledModule } from '../../processes/compiled-module.js';
import { unpackError } from '../../processes/packed-error.js';
import { ProcessClient, ProcessEnd } from '../../processes/process-client.js';
import type { Reply, Request } from './process-requests.js';
import type { Failure } from './sub-environments.js';

/** Classes of errors that environments throw. */
const ERRORS = [CheckError, EnvError, IllegalActionError, NotationError, SpaceError];

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

/** A process that holds some environments of a vector and answers one request at a time. */
export class ProcessConnection {
  readonly share: Share;
  private readonly client: ProcessClient<Request, Reply>;

  constructor(share: Share) {
    this.share = share;
    this.client = new ProcessClient({
      module: compiledModule(import.meta.url, 'process-worker'),
      errors: ERRORS,
    });
  }

  /** Process id; undefined if it could not be started. */
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

  /** Ends the process, even at work, and waits until it has ended. */
  async end(): Promise<void> {
    await this.client.end();
  }

  private diedOf({ message }: ProcessEnd): EnvError {
    const { first, count } = this.share;
    const which = count === 1 ? `environment ${first}` : `environments ${first} to ${first + count - 1}`;
    return new EnvError('worker-died', `the process ${this.pid ?? 'without an id'} of ${which} ${message}`);
  }
}
