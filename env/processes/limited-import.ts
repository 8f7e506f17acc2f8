// Needs Node: a timer that keeps the process running.
import { within } from './deadline.js';

/** Milliseconds in which a module must load. Its code may wait for something that never happens. */
export const LOAD_MS = 30_000;

/** The error for a module that has not loaded in time, because it is still `doing` something. */
export function lateImport(limitMs: number, doing: string): Error {
  return new Error(`expected it to load within ${limitMs / 1000} s, found that it is still ${doing}`);
}

/**
 * Imports a module within a time limit. Meanwhile the timer keeps this process running; it cannot fire while
 * code of the module blocks the event loop.
 *
 * @throws Error after the limit; whatever the module throws.
 */
export function importWithin(url: string, limitMs: number): Promise<unknown> {
  return within(import(url) as Promise<unknown>, limitMs, () => {
    throw lateImport(limitMs, 'waiting');
  });
}
