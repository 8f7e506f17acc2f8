import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { processorTicks } from '../../data/files/process-identity.js';
import { compiledModule } from './compiled-module.js';
import type { WorkerAnswer } from './worker-failure.js';
import type { JobOrder, WorkerOrder, WorkerReport } from './worker-message.js';
import { SilenceMeter, type SilenceLimits } from './silence-meter.js';

/** Lines of a process's stderr that are told when it ends. */
const LAST_LINES = 8;

/** The end of a process over its job: killed, crashed, out of memory, or ended for it was silent. */
export class WorkerEnd extends Error {
  override readonly name = 'WorkerEnd';
  /** What it printed last, at most a few lines. */
  readonly lastLines: readonly string[];

  constructor(how: string, lastLines: readonly string[]) {
    super(how);
    this.lastLines = lastLines;
  }
}

/** How a process is watched, and who hears of it. */
export interface WorkerProcessOptions extends SilenceLimits {
  /** Called with each line that the process prints to stderr. */
  readonly onLine: (line: string) => void;
}

interface PendingJob {
  resolve(answer: WorkerAnswer<unknown>): void;
  reject(end: WorkerEnd): void;
}

/**
 * A process that does one job at a time. While it has one it is asked again and again to show that it hears; where it stays
 * silent for too long (`SilenceLimits`) it is killed.
 */
export class WorkerProcess {
  private readonly child: ChildProcess;
  private readonly startMs = performance.now();
  private readonly closed: Promise<void>;
  private readonly options: WorkerProcessOptions;
  private readonly lastLines: string[] = [];
  private pending: PendingJob | null = null;
  /** Why this process was killed from here; null: it was not. */
  private verdict: string | null = null;
  private end: WorkerEnd | null = null;

  constructor(options: WorkerProcessOptions) {
    this.options = options;
    // A group of their own: a terminal's Ctrl-C goes to the whole group. Nothing is printed to stdout.
    this.child = fork(compiledModule('worker'), [String(process.pid)], {
      detached: true,
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [this.child.stdout!, this.child.stderr!]) {
      createInterface({ input: stream }).on('line', (line) => {
        this.lastLines.push(line);
        if (this.lastLines.length > LAST_LINES) this.lastLines.shift();
        options.onLine(line);
      });
    }
    this.closed = new Promise((resolve) => {
      const close = (how: string): void => {
        this.die(how);
        resolve();
      };
      this.child.on('error', (error) => {
        // With a number it runs, and only what was asked of it failed.
        if (this.child.pid === undefined) close(`could not be run: ${error.message}`);
      });
      // Not `exit`: by then not all that it printed is read.
      this.child.once('close', (code, signal) => {
        close(signal === null ? `ended with exit code ${code ?? 'none'}` : `was ended by ${signal}`);
      });
    });
  }

  /** The number that the system gives it; undefined where it could not be started. */
  get pid(): number | undefined {
    return this.child.pid;
  }

  /** How long it has been there. */
  get ageMs(): number {
    return performance.now() - this.startMs;
  }

  /** Whether it can be given a job. */
  get isAlive(): boolean {
    return this.end === null && this.child.connected;
  }

  /**
   * Has a job done.
   *
   * @param onGame called with how many games of the job have ended.
   * @throws WorkerEnd when the process ended before it answered.
   */
  async ask(order: JobOrder, onGame: (finished: number) => void): Promise<WorkerAnswer<unknown>> {
    const meter = new SilenceMeter(this.options, () => processorTicks(this.child.pid!));
    const hear = (message: WorkerReport): void => {
      meter.heard();
      if (message === 'pong') return;
      if ('finishedGames' in message) onGame(message.finishedGames);
      else this.pending?.resolve(message);
    };
    const watch = setInterval(() => {
      if (meter.isToBeAsked) this.send('ping');
      const silence = meter.tick();
      if (silence !== null) this.kill(silence);
    }, meter.tickMs);
    this.child.on('message', hear);
    try {
      return await new Promise((resolve, reject) => {
        this.pending = { resolve, reject };
        if (this.end !== null) reject(this.end);
        else this.send(order);
      });
    } finally {
      this.pending = null;
      this.child.off('message', hear);
      clearInterval(watch);
    }
  }

  /** Ends the process, whatever it does, and waits until it has ended. */
  async dispose(): Promise<void> {
    if (this.end === null) this.child.kill('SIGKILL');
    await this.closed;
  }

  private send(order: WorkerOrder): void {
    // What could not be sent went to a process that has ended, which is told in its own way.
    if (this.child.connected) this.child.send(order, () => undefined);
  }

  private kill(reason: string): void {
    this.verdict ??= reason;
    // SIGKILL ends a stopped process too.
    this.child.kill('SIGKILL');
  }

  private die(how: string): void {
    this.end ??= new WorkerEnd(this.verdict ?? how, this.lastLines);
    this.pending?.reject(this.end);
  }
}
