const WARM_UP_MS = 300;
const MEASURE_MS = 2_000;

/**
 * How much of something is done a second.
 *
 * @param work does some of it and returns how much.
 */
export function timePerSecond(work: () => number): number {
  const run = (limitMs: number): number => {
    const startMs = performance.now();
    let done = 0;
    do done += work();
    while (performance.now() - startMs < limitMs);
    return (done * 1000) / (performance.now() - startMs);
  };
  run(WARM_UP_MS);
  return Math.round(run(MEASURE_MS));
}
