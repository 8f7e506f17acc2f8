// Needs Node: one process of `ProcessVectorEnv`, seen from outside.
import { type ChildProcess, fork } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EnvError } from '../../errors.js';
import type { Failure } from './sub-environments.js';
import { type Reply, type Request, unpackError } from './process-message.js';

/** Which environments a process holds: `count` from number `first` on. */
export interface Share {
  readonly first: number;
  readonly count: number;
}

/** What a process answered; the indices of failures count all environments of the vector. */
export interface Answered<Value> {
  readonly value: Value;
  readonly failures: readonly Failure[];
}

/** The compiled worker: beside this file, or, where this one runs as TypeScript (under test), in dist/. */
function workerPath(): string {
  const folder = dirname(fileURLToPath(import.meta.url));
  const compiled = import.meta.url.endsWith('.ts')
    ? join(folder, '..', '..', '..', 'dist', 'env', 'environments', 'vector')
    : folder;
  return join(compiled, 'process-worker.js');
}

/** A process that holds some environments of a vector and answers one request at a time. */
export class ProcessConnection {
  readonly share: Share;
  private readonly child: ChildProcess;
  private readonly ended: Promise<void>;
  private pending: { resolve(reply: Reply): void; reject(error: Error): void } | null = null;
  private death: EnvError | null = null;

  constructor(share: Share) {
    this.share = share;
    // A group of their own: a terminal's Ctrl-C goes to the whole group. What they print is a message.
    this.child = fork(workerPath(), [], {
      detached: true,
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 2, 2, 'ipc'],
    });
    this.ended = new Promise((resolve) => {
      const end = (how: string): void => {
        this.die(how);
        resolve();
      };
      this.child.once('error', (error) => {
        end(`could not be run: ${error.message}`);
      });
      this.child.once('exit', (code, signal) => {
        end(signal === null ? `ended with exit code ${code ?? 'none'}` : `was ended by ${signal}`);
      });
    });
    this.child.on('message', (reply: Reply) => {
      this.pending?.resolve(reply);
    });
    this.hold(false);
  }

  /** The number that the system gives the process. */
  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Whether it has yet to answer. */
  get isBusy(): boolean {
    return this.pending !== null;
  }

  /**
   * Sends a request and waits for the answer.
   *
   * @throws EnvError `worker-died`; what the whole request threw, by class and code.
   */
  async ask<Value>(request: Request): Promise<Answered<Value>> {
    const { first } = this.share;
    this.hold(true);
    try {
      const reply = await new Promise<Reply>((resolve, reject) => {
        this.pending = { resolve, reject };
        if (this.death !== null) reject(this.death);
        // A request that could not be sent went to a process that has ended, which is told in its own way.
        else this.child.send(request, () => undefined);
      });
      if ('error' in reply) throw unpackError(reply.error);
      const failures = reply.failures.map(({ index, error }) => {
        return { index: first + index, error: unpackError(error) };
      });
      return { value: reply.value as Value, failures };
    } finally {
      this.pending = null;
      this.hold(false);
    }
  }

  /** Ends the process, whatever it does, and waits until it has ended. */
  async end(): Promise<void> {
    if (this.death === null) {
      this.hold(true);
      this.child.kill('SIGKILL');
    }
    await this.ended;
  }

  private die(how: string): void {
    const { first, count } = this.share;
    const which = count === 1 ? `environment ${first}` : `environments ${first} to ${first + count - 1}`;
    this.death ??= new EnvError(
      'worker-died',
      `the process ${this.pid ?? 'without a number'} of ${which} ${how}`,
    );
    this.pending?.reject(this.death);
  }

  /** Lets this program go on, or not, while nothing else but the process keeps it from its end. */
  private hold(isHeld: boolean): void {
    if (isHeld) {
      this.child.ref();
      this.child.channel?.ref();
    } else {
      this.child.unref();
      this.child.channel?.unref();
    }
  }
}
