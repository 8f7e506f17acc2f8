import type { MetricsRecord } from './run-records.js';

type MemoryRecord = Pick<
  MetricsRecord,
  'generation' | 'processId' | 'tensors' | 'residentBytes' | 'workerBytes' | 'windowRows'
>;

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

/** Those since the run was resumed last: a process begins with little memory, whatever the one before it had. */
function ofNewestProcess(records: readonly MemoryRecord[]): readonly MemoryRecord[] {
  const newest = records.at(-1)?.processId;
  return records.slice(1 + records.findLastIndex(({ processId }) => processId !== newest));
}

/**
 * Whether a run's memory grows since it was resumed last: by the newer half of the generations, since the older ones fill the
 * window and warm up. Records of earlier versions do not tell when the run was resumed; all of them are taken for one process's.
 *
 * @param records by generation; null where there are fewer than twice `FEWEST_GENERATIONS` of the newest process.
 */
export function memoryTrend(records: readonly MemoryRecord[]): MemoryTrend | null {
  const own = ofNewestProcess(records);
  if (own.length < 2 * FEWEST_GENERATIONS) return null;
  const late = own.slice(own.length >> 1);
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
