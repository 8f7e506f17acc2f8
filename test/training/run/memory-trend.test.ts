import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FEWEST_GENERATIONS, memoryTrend } from '../../../training/run/measures/memory-trend.js';

const MB = 1e6;

interface Line {
  readonly generation: number;
  readonly tensors: number;
  readonly residentBytes: number;
  readonly workerBytes: number | null;
  readonly windowRows: number;
  readonly processId: number;
}

/** Records whose memory grows by `growth` from the middle to the end, with `noise`; both are shares of 500 MB. */
function linesOf(count: number, growth: number, noise: readonly number[] = [0]): Line[] {
  const middle = count >> 1;
  return Array.from({ length: count }, (_, index) => {
    const share = Math.max(0, index - middle) / (count - 1 - middle);
    const wavering = noise[index % noise.length]!;
    // Warm-up before the middle.
    const warm = index < middle ? 0.2 + (0.8 * index) / middle : 1;
    return {
      generation: index + 1,
      tensors: 13,
      residentBytes: 500 * MB * (warm + growth * share + wavering),
      workerBytes: 200 * MB,
      windowRows: 1000,
      processId: 1,
    };
  });
}

const Count = fc.integer({ min: 2 * FEWEST_GENERATIONS, max: 60 });
const Noise = fc.array(fc.double({ min: -0.01, max: 0.01, noNaN: true }), { minLength: 1, maxLength: 60 });

test('noisy memory is flat after the warm-up', () => {
  fc.assert(
    fc.property(Count, Noise, (count, noise) => {
      expect(memoryTrend(linesOf(count, 0, noise))).toMatchObject({
        from: (count >> 1) + 1,
        to: count,
        tensors: [13, 13],
        workerGrowth: 0,
        windowGrowth: 0,
        isFlat: true,
      });
    }),
  );
});

test('memory of earlier processes does not count', () => {
  const ofProcess = (processId: number, lines: readonly Line[]): readonly Line[] =>
    lines.map((line) => ({ ...line, processId }));
  const before = ofProcess(7, linesOf(30, 0.5));
  const after = ofProcess(8, linesOf(2 * FEWEST_GENERATIONS, 0));
  expect(memoryTrend(before)?.isFlat).toBe(false);
  expect(memoryTrend([...before, ...after])).toEqual(memoryTrend(after));
  expect(memoryTrend([...before, ...after])?.isFlat).toBe(true);
  expect(memoryTrend([...before, ...after.slice(1)])).toBeNull();
});

/** Adds garbage that is collected after every `every` records. */
function withGarbage(lines: readonly Line[], every: number): Line[] {
  return lines.map((line, index) => ({
    ...line,
    residentBytes: line.residentBytes + (index % every) * 20 * MB,
  }));
}

test('garbage does not count, retained memory does', () => {
  fc.assert(
    fc.property(fc.integer({ min: 30, max: 60 }), fc.integer({ min: 1, max: 5 }), (count, every) => {
      expect(memoryTrend(withGarbage(linesOf(count, 0), every))!.isFlat).toBe(true);
      expect(memoryTrend(withGarbage(linesOf(count, 0.5), every))!.isFlat).toBe(false);
    }),
  );
});

test('growing memory is not flat, with or without noise', () => {
  fc.assert(
    fc.property(Count, Noise, fc.double({ min: 0.15, max: 2, noNaN: true }), (count, noise, growth) => {
      expect(memoryTrend(linesOf(count, growth, noise))!.isFlat).toBe(false);
    }),
  );
});

test('the growth is that of a straight line', () => {
  const trend = memoryTrend(linesOf(21, 0.4))!;
  // Growth of 40 % of 500 MB, divided by the median, which is reached in the middle.
  expect(trend.growth).toBeCloseTo(0.4 / 1.2, 10);
  expect(trend.residentBytes).toBeCloseTo(600 * MB, 0);
});

test('one more tensor per generation is a leak, and so is growing memory of the worker processes', () => {
  const lines = linesOf(20, 0);
  const leaking = lines.map((line) => ({ ...line, tensors: 13 + line.generation }));
  expect(memoryTrend(leaking)).toMatchObject({ tensors: [24, 33], isFlat: false });
  const workers = lines.map((line) => ({ ...line, workerBytes: 200 * MB + line.generation * 5 * MB }));
  expect(memoryTrend(workers)).toMatchObject({ growth: 0, isFlat: false });
  const unknown = lines.map((line) => ({ ...line, workerBytes: null }));
  expect(memoryTrend(unknown)).toMatchObject({ workerGrowth: null, isFlat: true });
});

test('has no trend after few generations', () => {
  expect(memoryTrend(linesOf(2 * FEWEST_GENERATIONS - 1, 0))).toBeNull();
  expect(memoryTrend([])).toBeNull();
});
