import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { ansiPaint } from '../env/environments/ansi-paint.js';
import type { Paint } from '../env/game.js';
import { visibleLines } from '../env/text/quoted-text.js';
import { colorDepthOf } from './terminal/color-depth.js';
import { isMovable } from './terminal/movable-terminal.js';
import { TerminalBlock } from './terminal/terminal-block.js';
import { sizeOfTerminal } from './terminal/terminal-size.js';

/** A terminal for progress. */
export interface ProgressTerminal {
  /** Columns and lines for progress. Columns leave room at the end of a line for the `^C` that a terminal echoes. */
  readonly columns: number;
  readonly rows: number;
  /** Replaces the lines below all messages; an empty list removes them. Each is narrower than the terminal. */
  show(lines: readonly string[]): void;
}

/** Streams of a command. Results and messages never mix: a pipe reads results only. */
export interface Output {
  /** Writes one or several lines of the result to stdout; control characters as escapes, except those of `paint`. */
  result(text: string): void;
  /**
   * Writes a line of a protocol to stdout, unchanged.
   *
   * @returns a promise that resolves when stdout can take more; await it so that a slow reader slows its writer down.
   */
  line(text: string): Promise<void>;
  /** Writes progress or a message for people to stderr; control characters as escapes. */
  message(text: string): void;
  /** Writes a message that only `--verbose` shows. */
  detail?(text: string): void;
  /** Whether `--verbose` was given. Defaults to false. */
  readonly isVerbose?: boolean;
  /** Shows progress in place; absent if stderr is not a terminal whose cursor can be moved, and with `--quiet`. */
  readonly terminal?: ProgressTerminal | undefined;
  /** Colours diagrams among the results; absent if stdout has no colours. */
  readonly paint?: Paint | undefined;
}

const paint = colorDepthOf(process.stdout, process.env) > 1 ? ansiPaint : undefined;
const block = new TerminalBlock(process.stderr);

/** Columns of `^C`. */
const ECHO_COLUMNS = 2;

/** Progress on stderr; undefined if stderr is not a terminal whose cursor can be moved. */
function progressTerminal(): ProgressTerminal | undefined {
  if (!isMovable(process.stderr, process.env)) return undefined;
  let isShown = false;
  const remove = (): void => {
    block.show([]);
  };
  return {
    get columns() {
      return sizeOfTerminal(process.stderr).columns - ECHO_COLUMNS;
    },
    get rows() {
      return sizeOfTerminal(process.stderr).rows;
    },
    show: (lines) => {
      block.show(lines);
      if (lines.length > 0 === isShown) return;
      isShown = !isShown;
      if (isShown) {
        process.on('exit', remove);
      } else {
        process.off('exit', remove);
      }
    },
  };
}

/** Writes to stdout; on a terminal above the progress, which may share it. */
function writeResult(text: string): boolean {
  if (!process.stdout.isTTY || !process.stderr.isTTY) return process.stdout.write(text);
  block.write(text);
  return true;
}

/**
 * A function that writes to `stream` and waits until it can take more. All writes that wait share one listener: Node
 * warns of a leak where there are more than ten.
 */
export function waitingWriter(stream: Writable): (data: string | Uint8Array) => Promise<void> {
  let drained: Promise<unknown> | undefined;
  return async (data) => {
    if (stream.write(data)) return;
    drained ??= once(stream, 'drain').finally(() => {
      drained = undefined;
    });
    await drained;
  };
}

/** Writes lines or bytes of a protocol to stdout; resolves when it can take more. */
export const writeToStdout = waitingWriter(process.stdout);

/** The streams of this process. */
export const processOutput: Output = {
  result: (text) => {
    writeResult(`${visibleLines(text, paint !== undefined)}\n`);
  },
  line: (text) => writeToStdout(`${text}\n`),
  message: (text) => {
    block.write(`${visibleLines(text)}\n`);
  },
  terminal: progressTerminal(),
  paint,
};

/** How much a command writes to stderr. */
export type Loudness = 'quiet' | 'usual' | 'verbose';

/**
 * The same streams at the current loudness: `quiet` drops messages and progress, `verbose` adds the time to
 * messages, and details. Results are always written.
 */
export function outputAt(output: Output, loudness: () => Loudness): Output {
  const clock = (): string => new Date().toTimeString().slice(0, 8);
  const message = (text: string): void => {
    if (loudness() === 'quiet') return;
    output.message(loudness() === 'verbose' ? text.replace(/^(?=.)/, `${clock()} `) : text);
  };
  return {
    result: (text) => {
      output.result(text);
    },
    line: (text) => output.line(text),
    paint: output.paint,
    message,
    detail: (text) => {
      if (loudness() === 'verbose') message(text);
    },
    get isVerbose() {
      return loudness() === 'verbose';
    },
    get terminal() {
      return loudness() === 'quiet' ? undefined : output.terminal;
    },
  };
}

/** Writes messages of the program, such as those of a pool. */
export function messenger(output: Output): (text: string) => void {
  return (text) => {
    output.message(`gess: ${text}`);
  };
}
