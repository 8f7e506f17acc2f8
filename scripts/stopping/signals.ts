import { constants } from 'node:os';

/** Sent by Ctrl-C, by service and job managers, and by a closing terminal. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The exit code of a process that a signal ended: 130, 143 or 129 for the three above. */
export function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
