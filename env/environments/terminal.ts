import type { Paint } from '../game.js';
import { ansiPaint } from './ansi-paint.js';

/** What is used of Node's `process.stdout`, by which a terminal is known; a browser has none. */
interface StandardOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
  /** There on terminals only; heeds NO_COLOR and FORCE_COLOR. */
  hasColors?(): boolean;
}

function standardOutput(): StandardOutput | undefined {
  return (globalThis as { process?: { stdout?: StandardOutput } }).process?.stdout;
}

/** Writes lines, the last of them ended, to standard output, or to the console where there is none. */
export function writeToTerminal(text: string): void {
  const output = standardOutput();
  if (output === undefined) console.log(text.replace(/\n$/, ''));
  else output.write(text);
}

/** The colours of a terminal that has them; undefined for any other output. */
export function terminalPaint(): Paint | undefined {
  const output = standardOutput();
  return output?.isTTY === true && output.hasColors?.() === true ? ansiPaint : undefined;
}
