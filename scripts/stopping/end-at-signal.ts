import type { Output } from '../output.js';
import { exitCodeOf, SIGNALS } from './signals.js';

/** Commands that run until their client has no more requests, and `play`, which saves each move. */
const ENDLESS = ['engine', 'env-server', 'play'];

/** Commands that print one result at their end, and write nothing. */
const ALL_AT_ONCE = ['perft', 'study'];

/**
 * Ends the process at a SIGINT, SIGTERM or SIGHUP that nothing else listens for: removes the progress in the
 * terminal, says how to continue, and exits with 128 plus the signal's number.
 *
 * @param words of the command line. Commands that have nothing to finish say nothing.
 */
export function endAtSignal(output: Output, words: readonly string[]): void {
  const name = words.find((word) => !word.startsWith('-')) ?? '';
  const isSilent = ENDLESS.includes(name) || words.includes('--quiet');
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (process.listenerCount(signal) > 1) return;
      output.terminal?.show([]);
      if (!isSilent) {
        const files = 'No file is half-written; run the same command again to finish.';
        const end = ALL_AT_ONCE.includes(name)
          ? 'Nothing was kept; run the command again to start over.'
          : files;
        output.message(`gess: stopped before the end. ${end}`);
      }
      process.exit(exitCodeOf(signal));
    });
  }
}
