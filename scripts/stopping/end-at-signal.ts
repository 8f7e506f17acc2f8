import { removeUnfinished } from '../../data/files/unfinished-paths.js';
import type { Output } from '../output.js';
import { exitCodeOf, SIGNALS } from './signals.js';

/** Commands that run until their client has no more requests. */
const SERVICES = ['engine', 'env-server'];

/**
 * Ends the process at a SIGINT, SIGTERM or SIGHUP that nothing else listens for: removes half-written files and the
 * progress in the terminal, says how to continue, and exits with 128 plus the signal's number.
 *
 * @param words of the command line. Commands that answer a client say nothing: they have nothing to finish.
 */
export function endAtSignal(output: Output, words: readonly string[]): void {
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (process.listenerCount(signal) > 1) return;
      output.terminal?.show([]);
      if (!SERVICES.includes(words[0] ?? '')) {
        output.message(
          'gess: stopped before the end. No file is half-written; run the same command again to finish.',
        );
      }
      removeUnfinished();
      process.exit(exitCodeOf(signal));
    });
  }
}
