import type { Output } from './output.js';

/** npm passes Ctrl-C on to what it runs, so that one press arrives twice: so close, two signals are one. */
const SAME_PRESS_MS = 500;

/** Ctrl-C in two steps. */
export interface StopSignal {
  readonly signal: AbortSignal;
  /** Gives the keys back to Node. */
  dispose(): void;
}

/**
 * The first SIGINT or SIGTERM asks for an end after the unit of work under way, the second ends the process at
 * once, as a killed one: what is finished is on disk in both cases.
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
    if (controller.signal.aborted) process.exit(signal === 'SIGINT' ? 130 : 143);
    output.message(`gess: finishing the work under way, then stopping; once more stops at once. ${hint}`);
    controller.abort();
  };
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  return {
    signal: controller.signal,
    dispose: () => {
      process.off('SIGINT', listener);
      process.off('SIGTERM', listener);
    },
  };
}
