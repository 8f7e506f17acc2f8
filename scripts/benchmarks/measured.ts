import { processorMs } from './timing.js';

/** How much of something was done. */
export interface Measured {
  /** A second of the clock. */
  readonly perSecond: number;
  /** A second of processor time: what other programs on the machine take is not in it. */
  readonly perProcessorSecond: number;
}

/** @param work returns how much of something was done. */
export async function measure(work: () => Promise<number>): Promise<Measured> {
  const startMs = performance.now();
  const startProcessorMs = processorMs();
  const done = await work();
  return {
    perSecond: (1000 * done) / (performance.now() - startMs),
    perProcessorSecond: (1000 * done) / (processorMs() - startProcessorMs),
  };
}
