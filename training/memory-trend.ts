import type { MetricsRecord } from './loop.js';

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
 * The median of the slopes between all pairs of points, which single outliers do not move.
 *
 * @see Sen 1968, "Estimates of the regression coefficient based on Kendall's tau".
 */
function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const slopes = points.flatMap(([x, y], index) =>
    points.slice(index + 1).map(([otherX, otherY]) => (otherY - y) / (otherX - x)),
  );
  return median(slopes);
}

/** Growth over all of the generations, as a share of the median. */
function growthOf(points: readonly (readonly [generation: number, bytes: number])[]): number {
  const span = points.at(-1)![0] - points[0]![0];
  return (slopeOf(points) * span) / median(points.map(([, bytes]) => bytes));
}

/**
 * Whether a run's memory grows: by the newer half of its generations, since the older ones fill the window and warm up. A run
 * that was resumed within them began anew with a small memory, which says little.
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
  const growth = growthOf(late.map((record) => [record.generation, record.residentBytes]));
  const ofWorkers = late.flatMap(({ generation, workerBytes }): [number, number][] =>
    typeof workerBytes === 'number' ? [[generation, workerBytes]] : [],
  );
  const workerGrowth = ofWorkers.length < late.length ? null : growthOf(ofWorkers);
  const [first, last] = [late[0]!, late.at(-1)!];
  const range = [Math.min(...tensors), Math.max(...tensors)] as const;
  return {
    from: first.generation,
    to: last.generation,
    tensors: range,
    residentBytes: median(late.map((record) => record.residentBytes)),
    growth,
    workerGrowth,
    windowGrowth: last.windowRows / first.windowRows - 1,
    isFlat: range[0] === range[1] && Math.max(growth, workerGrowth ?? 0) <= FLAT_GROWTH,
  };
}
