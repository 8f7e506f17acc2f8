import { median } from '../../statistics/median.js';
import type { MetricsRecord } from '../run-records.js';

type MemoryRecord = Pick<
  MetricsRecord,
  'generation' | 'processId' | 'tensors' | 'residentBytes' | 'workerBytes' | 'windowRows'
>;

/** Growth of a run's memory after its warm-up; plain JSON. */
export interface MemoryTrend {
  /** First and last measured generation: the newer half. */
  readonly from: number;
  readonly to: number;
  /** Least and greatest number of live tensors after a generation. */
  readonly tensors: readonly [number, number];
  /** Median, in bytes. */
  readonly residentBytes: number;
  /** Growth of memory from the first of these generations to the last, as a share of the median. */
  readonly growth: number;
  /** The same for the worker processes together; null if the system does not report it. */
  readonly workerGrowth: number | null;
  /** Growth of the window's rows, as a share of the first: memory may grow with it (`replay.memoryMiB`). */
  readonly windowGrowth: number;
  /** Whether the number of tensors is constant and memory grew by at most `FLAT_GROWTH`. */
  readonly isFlat: boolean;
}

/** Fewer generations are not enough to judge. */
export const FEWEST_GENERATIONS = 6;
/** Growth up to this share counts as flat, since the free memory that an allocator keeps varies. */
const FLAT_GROWTH = 0.05;

/**
 * Growth from the first value to the last, as a share of the median. It compares the minimum of the first third with
 * the minimum of the last third, since uncollected garbage comes and goes.
 */
function growthOf(bytes: readonly number[]): number {
  const third = Math.floor(bytes.length / 3);
  const lastThird = bytes.length - third;
  const rise = Math.min(...bytes.slice(lastThird)) - Math.min(...bytes.slice(0, third));
  return (rise * (bytes.length - 1)) / lastThird / median(bytes);
}

/** The records since the run was last resumed: a new process starts with little memory. */
function ofNewestProcess(records: readonly MemoryRecord[]): readonly MemoryRecord[] {
  const newest = records.at(-1)?.processId;
  return records.slice(1 + records.findLastIndex(({ processId }) => processId !== newest));
}

/**
 * Growth of a run's memory since it was last resumed, over the newer half of the generations: the older ones warm up
 * and fill the window.
 *
 * @param records by generation.
 * @returns null if the newest process has written fewer than twice `FEWEST_GENERATIONS` records.
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
