import { constants } from 'node:os';

/** Sent by Ctrl-C, by service and job managers, and by a closing terminal. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls a listener at the ending signals, until the returned function is called. */
export function onSignals(listener: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of SIGNALS) process.off(signal, listener);
  };
}

/** The exit code of a process that a signal ended: 130, 143 or 129 for the three above. */
export function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
