import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { TrainingError } from '../training-error.js';

/** Longest line that is kept of an engine's output, in characters. */
const MAX_LINE_LENGTH = 100_000;
/** Lines that are kept until they are read. */
const MAX_LINES = 100_000;

/** The end of an engine's process. */
export interface EngineExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program that speaks the engine protocol (docs/engine.md), as a child process. */
export class EngineProcess {
  /** The command line, for messages. */
  readonly command: string;
  /** Resolves when the process has ended. */
  readonly ended: Promise<EngineExit>;
  private readonly child: ChildProcessByStdio<Writable, Readable, null>;
  private readonly lines: string[] = [];
  private onChange: (() => void) | undefined;
  private exit: EngineExit | undefined;

  /** @param command a command line of the shell. */
  constructor(command: string) {
    this.command = command;
    // A group of its own, so that whatever the shell starts ends with it.
    this.child = spawn(command, { shell: true, detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
    // Writing to a process that has ended is reported by `until`.
    this.child.stdin.on('error', () => undefined);
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      if (this.lines.length < MAX_LINES) this.lines.push(line.slice(0, MAX_LINE_LENGTH));
      this.onChange?.();
    });
    this.ended = new Promise((resolve) => {
      const end = (exit: EngineExit): void => {
        this.exit = exit;
        this.onChange?.();
        resolve(exit);
      };
      this.child.on('error', () => {
        end({ code: null, signal: null });
      });
      this.child.on('close', (code, signal) => {
        end({ code, signal });
      });
    });
  }

  /** Whether the process has not ended. */
  get isRunning(): boolean {
    return this.exit === undefined;
  }

  /** Sends a line. */
  send(line: string): void {
    this.child.stdin.write(`${line}\n`);
  }

  /** Ends the engine's input. */
  closeInput(): void {
    this.child.stdin.end();
  }

  /** Removes and returns the lines that have come. */
  take(): readonly string[] {
    return this.lines.splice(0);
  }

  /**
   * Waits for a line that begins with the word `word`; removes and returns the lines up to it.
   *
   * @throws TrainingError `engine-silent` if it does not come within `timeoutMs`; `engine-ended` if the process ends.
   */
  async until(word: string, timeoutMs: number): Promise<readonly string[]> {
    const isWanted = (line: string): boolean => line.trim().split(/\s+/)[0] === word;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.onChange = () => {
        if (this.exit === undefined && !this.lines.some(isWanted)) return;
        clearTimeout(timer);
        resolve();
      };
      this.onChange();
    });
    this.onChange = undefined;
    const index = this.lines.findIndex(isWanted);
    if (index >= 0) return this.lines.splice(0, index + 1);
    const found = this.lines.at(-1) ?? 'nothing';
    if (this.exit === undefined) {
      throw new TrainingError(
        'engine-silent',
        `expected a line '${word}' from the engine '${this.command}' within ${timeoutMs} ms; its last line was ${JSON.stringify(found.slice(0, 200))}`,
      );
    }
    throw new TrainingError(
      'engine-ended',
      `expected a line '${word}' from the engine '${this.command}', but it ended (exit code ${this.exit.code ?? 'none'}, signal ${this.exit.signal ?? 'none'})`,
    );
  }

  /** Ends the process and whatever it started. */
  kill(): void {
    if (this.exit !== undefined || this.child.pid === undefined) return;
    try {
      process.kill(-this.child.pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }
}
