// Needs Node: the vector's side of a thread that answers its requests.
import { Worker } from 'node:worker_threads';
import { type ErrorClass, unpackError } from '../../processes/packed-error.js';
import { ProcessEnd } from '../../processes/process-client.js';
import type { MessageFromProcess } from '../../processes/process-messages.js';
import type { Reply, Request } from './process-requests.js';

/** A request that has not been answered yet. */
interface Pending {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

/**
 * A thread that answers requests, one at a time, as a `ProcessClient` does. It prints to this program's stderr. While
 * it is idle it does not keep this program running.
 */
export class ThreadClient {
  /** Threads have no process of their own. */
  readonly pid: undefined;
  private readonly worker: Worker;
  private readonly errors: readonly ErrorClass[];
  private readonly closed: Promise<void>;
  private pending: Pending | null = null;
  private death: ProcessEnd | null = null;
  private cause = '';

  /** @param module path of the compiled module that the thread runs. */
  constructor(module: string, errors: readonly ErrorClass[]) {
    this.errors = errors;
    this.worker = new Worker(module, { stdout: true });
    this.worker.stdout.on('data', (text: Buffer) => process.stderr.write(text));
    this.worker.on('message', (message: MessageFromProcess<Reply, never>) => {
      this.receive(message);
    });
    this.worker.on('error', (error) => {
      this.cause = `: ${error.message}`;
    });
    this.closed = new Promise((resolve) => {
      this.worker.once('exit', (code) => {
        this.death = new ProcessEnd(`ended with exit code ${code}${this.cause}`, []);
        this.pending?.reject(this.death);
        resolve();
      });
    });
    this.worker.unref();
  }

  /** Whether a request is in progress. */
  get isBusy(): boolean {
    return this.pending !== null;
  }

  /** As `ProcessClient.ask`. */
  async ask(request: Request): Promise<Reply> {
    this.worker.ref();
    try {
      return await new Promise<Reply>((resolve, reject) => {
        this.pending = { resolve, reject };
        if (this.death !== null) reject(this.death);
        else this.worker.postMessage(request);
      });
    } finally {
      this.pending = null;
      this.worker.unref();
    }
  }

  /** Ends the thread, even if it is busy, and waits until it has ended. */
  async end(): Promise<void> {
    if (this.death === null) await this.worker.terminate();
    await this.closed;
  }

  private receive(message: MessageFromProcess<Reply, never>): void {
    if (message === 'pong' || 'note' in message) return;
    if ('answer' in message) this.pending?.resolve(message.answer);
    else this.pending?.reject(unpackError(message.failure, this.errors));
  }
}
