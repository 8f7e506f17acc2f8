import type { Paint } from '../game.js';
import { ansiPaint } from './ansi-paint.js';

/** The part of Node's `process.stdout` that is used; browsers have none. */
interface StandardOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
  /** Only on terminals; respects NO_COLOR and FORCE_COLOR. */
  hasColors?(): boolean;
}

function standardOutput(): StandardOutput | undefined {
  return (globalThis as { process?: { stdout?: StandardOutput } }).process?.stdout;
}

/** Writes lines, each with a line end, to standard output, or to the console in browsers. */
export function writeToTerminal(text: string): void {
  const output = standardOutput();
  if (output === undefined) console.log(text.replace(/\n$/, ''));
  else output.write(text);
}

/** `ansiPaint` on a terminal with colours, else undefined. */
export function terminalPaint(): Paint | undefined {
  const output = standardOutput();
  return output?.isTTY === true && output.hasColors?.() === true ? ansiPaint : undefined;
}
