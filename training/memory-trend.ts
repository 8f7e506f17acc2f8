import type { MetricsRecord } from './run-records.js';

/** How the memory of a run went after its warm-up; plain JSON. */
export interface MemoryTrend {
  /** First and last generation that is looked at: the newer half. */
  readonly from: number;
  readonly to: number;
  /** Least and greatest number of tensors alive after a generation. */
  readonly tensors: readonly [number, number];
  /** Median, in bytes. */
  readonly residentBytes: number;
  /** By how much memory grew from the first of these generations to the last, as a share of the median. */
  readonly growth: number;
  /** The same of the processes that play, together; null where it was not noted. */
  readonly workerGrowth: number | null;
  /** By how much the rows of the window grew, as a share of the first: memory may grow with it (`replay.memoryMiB`). */
  readonly windowGrowth: number;
  /** Whether the tensors are as many as they were, and nothing grew by more than `FLAT_GROWTH`. */
  readonly isFlat: boolean;
}

/** Fewer generations tell nothing. */
export const FEWEST_GENERATIONS = 6;
/** Memory that grows by no more, as a share, does not grow: an allocator keeps more or less from one time to the next. */
export const FLAT_GROWTH = 0.05;

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * Growth from the first value to the last, as a share of the median: of the least of the first third to the least of the last
 * third, since garbage that is yet to be collected comes and goes, and what is needed stays.
 */
function growthOf(bytes: readonly number[]): number {
  const third = Math.floor(bytes.length / 3);
  const lastThird = bytes.length - third;
  const rise = Math.min(...bytes.slice(lastThird)) - Math.min(...bytes.slice(0, third));
  return (rise * (bytes.length - 1)) / lastThird / median(bytes);
}

/**
 * Whether a run's memory grows: by the newer half of its generations, since the older ones fill the window and warm up. A run
 * that was resumed within them began anew with little memory, and its growth says nothing.
 *
 * @param records by generation; null where there are fewer than twice `FEWEST_GENERATIONS`.
 */
export function memoryTrend(
  records: readonly Pick<
    MetricsRecord,
    'generation' | 'tensors' | 'residentBytes' | 'workerBytes' | 'windowRows'
  >[],
): MemoryTrend | null {
  if (records.length < 2 * FEWEST_GENERATIONS) return null;
  const late = records.slice(records.length >> 1);
  const tensors = late.map((record) => record.tensors);
  const residentBytes = late.map((record) => record.residentBytes);
  const growth = growthOf(residentBytes);
  const ofWorkers = late.flatMap(({ workerBytes }) => workerBytes ?? []);
  const workerGrowth = ofWorkers.length < late.length ? null : growthOf(ofWorkers);
  const [first, last] = [late[0]!, late.at(-1)!];
  const range = [Math.min(...tensors), Math.max(...tensors)] as const;
  return {
    from: first.generation,
    to: last.generation,
    tensors: range,
    residentBytes: median(residentBytes),
    growth,
    workerGrowth,
    windowGrowth: last.windowRows / first.windowRows - 1,
    isFlat: range[0] === range[1] && Math.max(growth, workerGrowth ?? 0) <= FLAT_GROWTH,
  };
}
