import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Histogram, type HistogramSummary } from '../../data/histogram.js';

function summarize(values: readonly number[], width: number): HistogramSummary {
  const histogram = new Histogram(width);
  for (const value of values) histogram.add(value);
  return histogram.summary();
}

const width = fc.constantFrom(1, 1 / 16, 1 / 64);
const numbers = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.nat(0xffff_ffff),
  fc.double({ min: -1, max: 9, noNaN: true }),
);

test('counts every value once, in its bin', () => {
  fc.assert(
    fc.property(fc.array(numbers), width, (values, binWidth) => {
      const { bins, count } = summarize(values, binWidth);
      expect(count).toBe(values.length);
      expect(bins.length).toBeLessThanOrEqual(16);
      for (const { from, to, count: inBin } of bins) {
        expect(values.filter((value) => value >= from && value < to)).toHaveLength(inBin);
      }
      expect(bins.reduce((sum, bin) => sum + bin.count, 0)).toBe(values.length);
      expect(bins.slice(1).map(({ from }) => from)).toEqual(bins.slice(0, -1).map(({ to }) => to));
    }),
  );
});

test('has the exact minimum, maximum and mean', () => {
  fc.assert(
    fc.property(fc.array(numbers, { minLength: 1 }), (values) => {
      const { min, max, mean } = summarize(values, 1);
      expect(min).toBe(Math.min(...values));
      expect(max).toBe(Math.max(...values));
      expect(mean).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / values.length, 5);
    }),
  );
});

test('accepts any number of different values', () => {
  const values = Array.from({ length: 50_000 }, (_, index) => index * 7919);
  const { bins, count } = summarize(values, 1);
  expect(count).toBe(50_000);
  expect(bins.reduce((sum, bin) => sum + bin.count, 0)).toBe(50_000);
});

test('ends for numbers above 2^53, whose neighbours differ by more than 1', () => {
  const { bins } = summarize([0.5 * 2 ** 60, 16.2 * 2 ** 60], 1 / 16);
  expect(bins.length).toBeLessThanOrEqual(16);
  expect(bins.reduce((sum, bin) => sum + bin.count, 0)).toBe(2);
});

test('has null statistics without values', () => {
  expect(summarize([], 1)).toEqual({ count: 0, min: null, max: null, mean: null, bins: [] });
});
