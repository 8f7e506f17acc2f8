// Needs Node: the parent's side of a process that answers requests.
import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { nodeOnCore } from './bound-node.js';
import { type ErrorClass, unpackError } from './packed-error.js';
import type { MessageFromProcess, MessageToProcess } from './process-messages.js';

/** Number of printed lines that a `ProcessEnd` quotes. */
const LAST_LINES = 8;

/** The unexpected end of a process that was killed, crashed or ran out of memory. */
export class ProcessEnd extends Error {
  override readonly name = 'ProcessEnd';
  /** The last `LAST_LINES` lines that it printed; none if it printed to this program's stderr. */
  readonly lastLines: readonly string[];

  constructor(how: string, lastLines: readonly string[]) {
    super(how);
    this.lastLines = lastLines;
  }
}

/** Settings of a process. */
export interface ClientOptions {
  /** Path of the compiled module that it runs, which calls `serveRequests`. */
  readonly module: string;
  /** Classes of errors that it may send. */
  readonly errors: readonly ErrorClass[];
  /** Node's own options for it, such as a limit of its memory; by default none. */
  readonly nodeOptions?: readonly string[];
  /** Core to which it is bound; by default it is not bound. */
  readonly core?: number | undefined;
  /** Called with each line that it prints to stdout or stderr; by default both go to this program's stderr. */
  readonly onLine?: (line: string) => void;
}

/** Callbacks for a request in progress. */
export interface RequestListener<Note> {
  readonly onNote?: (note: Note) => void;
  /** Called on every message from the process, which shows that it responds. */
  readonly onSign?: () => void;
}

/** A request that has not been answered yet. */
interface Pending<Answer, Note> extends RequestListener<Note> {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/**
 * Variables of glibc's allocator for processes, unless this program's environment has them. By default, a large array
 * that is freed raises the size up to which later arrays lie among small blocks, on a heap whose holes are never
 * returned. These keep arrays of 128 KiB or more in mappings of their own.
 */
export const ALLOCATOR_VARIABLES = { MALLOC_MMAP_THRESHOLD_: '131072' } as const;

/** Processes that have not ended. A process stopped by a signal would not notice the end of this program. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * A process that answers requests, one at a time. It has a process group of its own, so that a terminal's Ctrl-C does
 * not reach it, and never prints to stdout. While it is idle it does not keep this program running.
 */
export class ProcessClient<Request, Answer, Note = never> {
  /** Core to which it is bound; undefined if it is not bound. */
  readonly core: number | undefined;
  /** Path of the module that it runs. */
  readonly module: string;
  private readonly child: ChildProcess;
  private readonly errors: readonly ErrorClass[];
  private readonly closed: Promise<void>;
  private readonly lastLines: string[] = [];
  private pending: Pending<Answer, Note> | null = null;
  /** The reason given to `kill`; null if something else ended it. */
  private verdict: string | null = null;
  private death: ProcessEnd | null = null;

  constructor({ module, errors, nodeOptions = [], core, onLine }: ClientOptions) {
    this.errors = errors;
    this.core = core;
    this.module = module;
    const output = onLine === undefined ? 2 : 'pipe';
    this.child = fork(module, [String(process.pid)], {
      detached: true,
      env: { ...ALLOCATOR_VARIABLES, ...process.env },
      ...nodeOnCore(core, nodeOptions),
      serialization: 'advanced',
      stdio: ['ignore', output, output, 'ipc'],
    });
    running.add(this.child);
    this.closed = this.awaitEnd();
    if (onLine !== undefined) this.readLines(onLine);
    this.child.on('message', (message: MessageFromProcess<Answer, Note>) => {
      this.receive(message);
    });
    this.hold(false);
  }

  /** Process id; undefined if it could not be started. */
  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Whether it can be sent a request. */
  get isAlive(): boolean {
    return this.death === null && this.verdict === null && this.child.connected;
  }

  /** Whether a request is in progress. */
  get isBusy(): boolean {
    return this.pending !== null;
  }

  /**
   * Sends a request and waits for the answer. No other request may be in progress.
   *
   * @throws ProcessEnd if the process ended before it answered; the error that the request failed with.
   */
  async ask(request: Request, listener: RequestListener<Note> = {}): Promise<Answer> {
    this.hold(true);
    try {
      return await new Promise<Answer>((resolve, reject) => {
        this.pending = { ...listener, resolve, reject };
        if (this.death !== null) reject(this.death);
        else this.send({ request });
      });
    } finally {
      this.pending = null;
      this.hold(false);
    }
  }

  /** Asks the process to respond, which it does between two steps of its work; the response calls `onSign`. */
  ping(): void {
    this.send('ping');
  }

  /** Kills the process, even a stopped one. The request in progress fails with a `ProcessEnd` of this message. */
  kill(verdict: string): void {
    this.verdict ??= verdict;
    this.child.kill('SIGKILL');
  }

  /** Ends the process, even if it is busy, and waits until it has ended. */
  async end(): Promise<void> {
    if (this.death === null) {
      this.hold(true);
      this.child.kill('SIGKILL');
    }
    await this.closed;
  }

  private readLines(onLine: (line: string) => void): void {
    for (const stream of [this.child.stdout, this.child.stderr]) {
      // Absent if this program has no file descriptor left; then `error` follows.
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        this.lastLines.push(line);
        if (this.lastLines.length > LAST_LINES) this.lastLines.shift();
        onLine(line);
      });
    }
  }

  private awaitEnd(): Promise<void> {
    return new Promise((resolve) => {
      const close = (how: string): void => {
        running.delete(this.child);
        this.death ??= new ProcessEnd(this.verdict ?? how, this.lastLines);
        this.pending?.reject(this.death);
        resolve();
      };
      this.child.on('error', (error) => {
        // With an id it runs, and only a message or a signal failed.
        if (this.child.pid === undefined) close(`could not be run: ${error.message}`);
      });
      // Not `exit`: by then its last lines may not have been read.
      this.child.once('close', (code, signal) => {
        close(signal === null ? `ended with exit code ${code ?? 'none'}` : `was ended by ${signal}`);
      });
    });
  }

  private receive(message: MessageFromProcess<Answer, Note>): void {
    const { pending } = this;
    pending?.onSign?.();
    if (message === 'pong') return;
    if ('note' in message) pending?.onNote?.(message.note);
    else if ('answer' in message) pending?.resolve(message.answer);
    else pending?.reject(unpackError(message.failure, this.errors));
  }

  private send(message: MessageToProcess<Request>): void {
    // A message that cannot be sent went to a process that has ended, which `close` reports.
    if (this.child.connected) this.child.send(message, () => undefined);
  }

  /** Whether the process keeps this program running. */
  private hold(isHeld: boolean): void {
    const { channel, stdout, stderr } = this.child;
    const handles = [this.child, channel, stdout as Socket | null, stderr as Socket | null];
    for (const handle of handles) {
      if (isHeld) handle?.ref();
      else handle?.unref();
    }
  }
}
