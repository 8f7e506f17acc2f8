import { once } from 'node:events';
import { terminalPaint } from '../env/environments/terminal.js';
import type { Paint } from '../env/game.js';
import { visibleLines } from '../env/text/quoted-text.js';

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
  /** Whether stderr is a terminal, which can show a progress bar. */
  readonly interactive: boolean;
  /** Colours diagrams among the results; absent if stdout has no colours. */
  readonly paint?: Paint | undefined;
}

const paint = terminalPaint();

/** The streams of this process. */
export const processOutput: Output = {
  result: (text) => {
    process.stdout.write(`${visibleLines(text, paint !== undefined)}\n`);
  },
  line: async (text) => {
    if (!process.stdout.write(`${text}\n`)) await once(process.stdout, 'drain');
  },
  message: (text) => {
    process.stderr.write(`${visibleLines(text)}\n`);
  },
  interactive: process.stderr.isTTY,
  paint,
};
