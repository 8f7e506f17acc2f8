import { terminalPaint } from '../env/environments/terminal.js';
import type { Paint } from '../env/game.js';

/** Where a command writes. Results and messages never mix: pipes see results only. */
export interface Output {
  /** A line, or several, of the result, to stdout. */
  result(text: string): void;
  /** Progress or a message to people, to stderr. */
  message(text: string): void;
  /** Whether stderr is a terminal, fit for a progress bar. */
  readonly interactive: boolean;
  /** Colours diagrams among the results; absent where stdout has no colours. */
  readonly paint?: Paint | undefined;
}

/** The streams of this process. */
export const processOutput: Output = {
  result: (text) => {
    process.stdout.write(`${text}\n`);
  },
  message: (text) => {
    process.stderr.write(`${text}\n`);
  },
  interactive: process.stderr.isTTY,
  paint: terminalPaint(),
};
