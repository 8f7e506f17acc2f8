// Needs Node: a timer that keeps the process running.

/** Milliseconds in which a module must load. Its code may wait for something that never happens. */
export const LOAD_MS = 30_000;

/**
 * Imports a module within a time limit. Meanwhile the timer keeps this process running.
 *
 * @throws Error after the limit; whatever the module throws.
 */
export async function importWithin(url: string, limitMs: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`expected it to load within ${limitMs / 1000} s, found that it is still waiting`));
    }, limitMs);
  });
  try {
    return await Promise.race([import(url), late]);
  } finally {
    clearTimeout(timer);
  }
}
