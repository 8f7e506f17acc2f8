// Needs Node: a timer that keeps the process running.

/** The longest time of a timer, in milliseconds; a longer one ends at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Awaits `work` for at most `limitMs`. Meanwhile the timer keeps this process running. Late work is not
 * cancelled, but its result is ignored.
 *
 * @param limitMs 0 to `MAX_TIMER_MS`.
 * @param late called when the time has passed: its result takes the place of that of the work.
 * @throws whatever the work or `late` throws.
 */
export async function within<Value>(
  work: Promise<Value>,
  limitMs: number,
  late: () => Value,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  try {
    return await Promise.race([work, passed.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
