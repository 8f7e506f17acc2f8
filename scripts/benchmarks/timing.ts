const WARM_UP_MS = 300;
const MEASURE_MS = 2_000;

/** Processor time of this process: what other programs on the machine take is not in it. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * How much of something is done a second.
 *
 * @param work does some of it and returns how much.
 * @param nowMs what counts as time.
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

/** As `timePerSecond`, for work that waits. */
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
