import { constants } from 'node:os';
import type { Output } from './output.js';

/** npm forwards Ctrl-C to its child, so one press arrives twice: two signals within this time count as one. */
const SAME_PRESS_MS = 500;

/** Sent by Ctrl-C, by service and job managers, and by a closing terminal. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Ctrl-C in two steps. */
export interface StopSignal {
  readonly signal: AbortSignal;
  /** Restores Node's handling of the signals. */
  dispose(): void;
}

/**
 * The first SIGINT, SIGTERM or SIGHUP requests a stop after the current unit of work; the second ends the process at once, as
 * if killed (exit code 128 plus the signal's number). Finished work is on disk in both cases.
 *
 * @param hint how to resume later.
 * @param action that the first signal causes.
 */
export function listenForStop(
  output: Output,
  hint: string,
  action = 'stopping after the current unit of work',
): StopSignal {
  const controller = new AbortController();
  let lastMs = -Infinity;
  const listener = (signal: NodeJS.Signals): void => {
    const isSamePress = performance.now() - lastMs < SAME_PRESS_MS;
    lastMs = performance.now();
    if (isSamePress) return;
    if (controller.signal.aborted) process.exit(128 + constants.signals[signal]);
    output.message(`gess: ${action}; press again to stop at once. ${hint}`);
    controller.abort();
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return {
    signal: controller.signal,
    dispose: () => {
      for (const signal of SIGNALS) process.off(signal, listener);
    },
  };
}
