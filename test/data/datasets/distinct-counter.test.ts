import { describe, expect, test } from 'vitest';
import { DistinctCounter } from '../../../data/datasets/distinct-counter.js';

function bytesOf(number: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, number);
  return bytes;
}

/** Counts the numbers from 0 to `distinct` - 1, each of them `times` times. */
function countOf(distinct: number, times = 1): number {
  const counter = new DistinctCounter();
  for (let time = 0; time < times; time++) {
    for (let number = 0; number < distinct; number++) counter.add(bytesOf(number));
  }
  return counter.count;
}

describe('a counter of distinct byte strings', () => {
  test.each([0, 1, 1_000, 65_536])('counts %i exactly', (distinct) => {
    expect(countOf(distinct)).toBe(distinct);
  });

  test('does not count a string twice', () => {
    expect(countOf(1_000, 3)).toBe(1_000);
    expect(countOf(100_000, 2)).toBe(countOf(100_000));
  });

  test.each([70_000, 300_000])('estimates %i with an error below 0.02', (distinct) => {
    expect(Math.abs(countOf(distinct) / distinct - 1)).toBeLessThan(0.02);
  });

  test('distinguishes strings by length and order', () => {
    const counter = new DistinctCounter();
    for (const bytes of [[], [0], [0, 0], [1, 2], [2, 1]]) counter.add(Uint8Array.from(bytes));
    expect(counter.count).toBe(5);
  });
});
