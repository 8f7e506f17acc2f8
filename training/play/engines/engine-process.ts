import { type ChildProcess, spawn } from 'node:child_process';
import { PassThrough, Readable, type Writable } from 'node:stream';
import { type InputLine, inputLines } from '../../../env/processes/input-lines.js';
import { quote } from '../../../env/text/quoted-text.js';
import { TrainingError } from '../../training-error.js';

/** Longest line of an engine's output, in bytes; longer lines are skipped. */
const MAX_LINE_BYTES = 64 * 1024;
/** Greatest length of the unread lines together; beyond it, the oldest ones are dropped. */
const MAX_KEPT_LENGTH = 1024 * 1024;
const MAX_KEPT_LINES = 10_000;
/** Lines of its standard error that are kept for messages. */
const MAX_ERROR_LINES = 4;
/** Time in which an engine should end after `quit`. */
const QUIT_MS = 1000;

/** The end of an engine's process. */
export interface EngineExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The first word of a line. */
export function firstWord(line: string): string {
  return /^\s*(\S+)/.exec(line)?.[1] ?? '';
}

/**
 * The command with a guard process, which holds the other end of a pipe from this program, descriptor 3. When the pipe
 * closes, however this program ends, the guard kills the whole process group, itself included.
 */
function guarded(command: string): string {
  return `( cat <&3; kill -9 -$$ ) >/dev/null 2>&1 & exec 3<&-\n${command}`;
}

/**
 * A program that speaks the engine protocol (docs/reference/engine.md), as a child process. Neither it nor any process
 * that it starts in its group outlives this program.
 */
export class EngineProcess {
  /** The command line, for messages. */
  readonly command: string;
  /** Resolves when the process has ended. */
  readonly ended: Promise<EngineExit>;
  private readonly child: ChildProcess;
  private readonly input: Writable;
  private readonly lines: string[] = [];
  private keptLength = 0;
  private readonly errorLines: string[] = [];
  /** Receives each line as it arrives, and undefined at the end. */
  private onLine: ((line: string | undefined) => void) | undefined;
  private exit: EngineExit | undefined;
  private isKilled = false;

  /** @param command a shell command line. */
  constructor(command: string) {
    this.command = command;
    const hasGuard = process.platform !== 'win32';
    // Its own process group, so that everything that the shell starts ends with it.
    this.child = spawn(hasGuard ? guarded(command) : command, {
      shell: true,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', hasGuard ? 'pipe' : 'ignore'],
    });
    const closed = new Promise<EngineExit>((resolve) => {
      this.child.on('error', () => {
        resolve({ code: null, signal: null });
      });
      this.child.on('close', (code, signal) => {
        resolve({ code, signal });
      });
    });
    // Streams are absent if this program has no file descriptor left; then `error` follows.
    const { stdin, stdout, stderr } = this.child as Partial<
      Pick<ChildProcess, 'stdin' | 'stdout' | 'stderr'>
    >;
    this.input = stdin ?? new PassThrough();
    // Writing to a process that has ended is reported by `until`.
    this.input.on('error', () => undefined);
    const guard = (this.child.stdio as ChildProcess['stdio'] | undefined)?.[3] as Writable | null | undefined;
    guard?.on('error', () => undefined);
    this.child.on('exit', () => guard?.destroy());
    const allRead = this.readLines(stdout ?? Readable.from([]), (line) => {
      this.keep(line);
    });
    void this.readLines(stderr ?? Readable.from([]), (line) => {
      this.errorLines.push(line);
      if (this.errorLines.length > MAX_ERROR_LINES) this.errorLines.shift();
    });
    this.ended = Promise.all([closed, allRead]).then(([exit]) => {
      this.exit = exit;
      this.onLine?.(undefined);
      return exit;
    });
  }

  /** Whether the process has neither ended nor been killed. */
  get isRunning(): boolean {
    return this.exit === undefined && !this.isKilled;
  }

  /** Sends a line. */
  send(line: string): void {
    this.input.write(`${line}\n`);
  }

  /** Ends the engine's input. */
  closeInput(): void {
    this.input.end();
  }

  /** Removes and returns the lines that have come. */
  take(): readonly string[] {
    this.keptLength = 0;
    return this.lines.splice(0);
  }

  /**
   * Waits for a line that begins with the word `word`; removes and returns the lines up to it.
   *
   * @throws TrainingError `engine-silent` if it does not come within `timeoutMs`; `engine-ended` if the process ends.
   */
  async until(word: string, timeoutMs: number): Promise<readonly string[]> {
    const found = await this.within(word, timeoutMs);
    if (found !== null) return found;
    throw new TrainingError(
      'engine-silent',
      `expected a line '${word}' from the engine ${quote(this.command)} within ${timeoutMs} ms; its last line was ` +
        quote(this.lines.at(-1) ?? 'nothing'),
    );
  }

  /**
   * As `until`, but null if the line does not come in time.
   *
   * @throws TrainingError `engine-ended` if the process ends.
   */
  async within(word: string, timeoutMs: number): Promise<readonly string[] | null> {
    const isWanted = (line: string): boolean => firstWord(line) === word;
    if (this.exit === undefined && !this.lines.some(isWanted)) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        this.onLine = (line) => {
          if (line !== undefined && !isWanted(line)) return;
          clearTimeout(timer);
          resolve();
        };
      });
      this.onLine = undefined;
    }
    const index = this.lines.findIndex(isWanted);
    if (index >= 0) return this.removeFirst(index + 1);
    if (this.exit === undefined) return null;
    const said = this.errorLines.length === 0 ? '' : `; it said ${quote(this.errorLines.join('\n'))}`;
    throw new TrainingError(
      'engine-ended',
      `expected a line '${word}' from the engine ${quote(this.command)}, but it ended ` +
        `(exit code ${this.exit.code ?? 'none'}, signal ${this.exit.signal ?? 'none'})${said}`,
    );
  }

  /** Ends the process and whatever it started in its group, and reads no more of its output. */
  kill(): void {
    this.isKilled = true;
    if (this.exit !== undefined || this.child.pid === undefined) return;
    // A process outside the group may keep the other ends open, and the end of the streams is awaited.
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
    try {
      process.kill(-this.child.pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }

  /** Asks the engine to quit, kills it if it does not, and waits for its end. */
  async close(): Promise<void> {
    this.send('quit');
    this.closeInput();
    const timer = setTimeout(() => {
      this.kill();
    }, QUIT_MS);
    await this.ended;
    clearTimeout(timer);
  }

  private async readLines(stream: Readable, onLine: (line: string) => void): Promise<void> {
    try {
      for await (const line of inputLines(stream, MAX_LINE_BYTES) as AsyncIterable<InputLine>) {
        if (typeof line === 'string') onLine(line);
      }
    } catch {
      // The process was killed while it wrote.
    }
  }

  private keep(line: string): void {
    this.lines.push(line);
    this.keptLength += line.length;
    while (this.keptLength > MAX_KEPT_LENGTH || this.lines.length > MAX_KEPT_LINES) this.removeFirst(1);
    this.onLine?.(line);
  }

  private removeFirst(count: number): readonly string[] {
    const removed = this.lines.splice(0, count);
    for (const line of removed) this.keptLength -= line.length;
    return removed;
  }
}
