import { constants } from 'node:os';
import type { Output } from './output.js';

/** npm passes Ctrl-C on to what it runs, so that one press arrives twice: so close, two signals are one. */
const SAME_PRESS_MS = 500;

/** Of Ctrl-C, of service and job systems, of a terminal that is closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Ctrl-C in two steps. */
export interface StopSignal {
  readonly signal: AbortSignal;
  /** Gives the keys back to Node. */
  dispose(): void;
}

/**
 * The first SIGINT, SIGTERM or SIGHUP asks for an end after the unit of work under way, the second ends the process at
 * once, as a killed one (exit code 128 and the signal's number): what is finished is on disk in both cases.
 *
 * @param hint how to go on later.
 */
export function listenForStop(output: Output, hint: string): StopSignal {
  const controller = new AbortController();
  let lastMs = -Infinity;
  const listener = (signal: NodeJS.Signals): void => {
    const isSamePress = performance.now() - lastMs < SAME_PRESS_MS;
    lastMs = performance.now();
    if (isSamePress) return;
    if (controller.signal.aborted) process.exit(128 + constants.signals[signal]);
    output.message(`gess: finishing the work under way, then stopping; once more stops at once. ${hint}`);
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
