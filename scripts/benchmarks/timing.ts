const WARM_UP_MS = 300;
const MEASURE_MS = 2_000;

/** Processor time of this process in milliseconds, without that of other programs. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Amount of work done per second.
 *
 * @param work does some work and returns its amount.
 * @param nowMs the clock, in milliseconds.
 */
export function timePerSecond(work: () => number, nowMs = (): number => performance.now()): number {
  const run = (limitMs: number): number => {
    const startMs = nowMs();
    let done = 0;
    do done += work();
    while (nowMs() - startMs < limitMs);
    return (done * 1000) / (nowMs() - startMs);
  };
  run(WARM_UP_MS);
  return Math.round(run(MEASURE_MS));
}

/** The same for asynchronous work. */
export async function timeAsyncPerSecond(work: () => Promise<number>): Promise<number> {
  const run = async (limitMs: number): Promise<number> => {
    const startMs = performance.now();
    let done = 0;
    do done += await work();
    while (performance.now() - startMs < limitMs);
    return (done * 1000) / (performance.now() - startMs);
  };
  await run(WARM_UP_MS);
  return Math.round(await run(MEASURE_MS));
}
