import type { Output } from '../output.js';
import { exitCodeOf, onSignals } from './signals.js';

/** npm forwards Ctrl-C to its child, so one press arrives twice: two signals within this time count as one. */
const SAME_PRESS_MS = 500;

/** Ctrl-C in two steps. */
export interface StopSignal {
  readonly signal: AbortSignal;
  /** All the work is done: the command exits with 0 even if a signal came. */
  done(): void;
  /** Restores the handling of the signals. */
  dispose(): void;
}

/** The texts and the meaning of a stop of a command. */
export interface StopWords {
  /** How to resume later. */
  readonly hint: string;
  /** The effect of the first signal, for the message. */
  readonly action: string;
  /** Whether a signal is the usual end of the command, which then exits with 0. Defaults to false. */
  readonly isUsualEnd?: boolean;
}

/**
 * The first SIGINT, SIGTERM or SIGHUP requests a stop, after which the command exits with 128 plus the signal's number,
 * unless it says that its work is done; the second ends the process at once, as if killed. Finished work is on disk in
 * both cases.
 */
export function listenForStop(output: Output, { hint, action, isUsualEnd = false }: StopWords): StopSignal {
  const controller = new AbortController();
  let lastMs = -Infinity;
  let isDone = isUsualEnd;
  const listener = (signal: NodeJS.Signals): void => {
    const isSamePress = performance.now() - lastMs < SAME_PRESS_MS;
    lastMs = performance.now();
    if (isSamePress) return;
    if (controller.signal.aborted) process.exit(exitCodeOf(signal));
    output.message(`gess: ${action}; press again to stop at once. ${hint}`.trimEnd());
    if (!isDone) process.exitCode = exitCodeOf(signal);
    controller.abort();
  };
  const dispose = onSignals(listener);
  return {
    signal: controller.signal,
    done: () => {
      isDone = true;
      if (controller.signal.aborted) process.exitCode = 0;
    },
    dispose,
  };
}
