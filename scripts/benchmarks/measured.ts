import { processorMs } from './timing.js';

/** A rate in wall-clock time and in processor time. */
export interface Measured {
  /** Per second of wall-clock time. */
  readonly perSecond: number;
  /** Per second of processor time, which other programs on the machine do not affect. */
  readonly perProcessorSecond: number;
}

/** @param work returns the amount of work done. */
export async function measure(work: () => Promise<number>): Promise<Measured> {
  const startMs = performance.now();
  const startProcessorMs = processorMs();
  const done = await work();
  return {
    perSecond: (1000 * done) / (performance.now() - startMs),
    perProcessorSecond: (1000 * done) / (processorMs() - startProcessorMs),
  };
}

/** Peak memory of this process, in MB of a million bytes. */
export function peakMegabytes(): number {
  return (process.resourceUsage().maxRSS * 1024) / 1e6;
}
