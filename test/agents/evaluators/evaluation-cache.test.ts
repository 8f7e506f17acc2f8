import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EvaluationCache } from '../../../agents/evaluators/evaluation-cache.js';
import { EvaluationBatch } from '../../../agents/evaluators/evaluator.js';
import { connectFour } from '../../../env/connect-four/connect-four.js';

/** A batch of one position with this key and `count` legal actions, and an evaluation derived from both. */
function batchOf(key: number, count: number): EvaluationBatch {
  const batch = new EvaluationBatch(connectFour, 1);
  batch.size = 1;
  batch.keys[0] = key;
  batch.start[1] = count;
  for (let i = 0; i < count; i++) batch.priors[i] = key + i / 16;
  batch.outcomes.set([key, key + 0.25, key + 0.5]);
  return batch;
}

test('returns the last evaluation written for a key, or none', () => {
  const operation = fc.record({
    key: fc.nat(40),
    count: fc.integer({ min: 1, max: 7 }),
    isWrite: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 200 }), fc.nat(12), (operations, size) => {
      const cache = new EvaluationCache(size, 7);
      const written = new Map<number, number>();
      let hits = 0;
      for (const { key, count, isWrite } of operations) {
        const batch = batchOf(key, count);
        if (isWrite) {
          cache.write(batch, 0);
          written.set(key, count);
          continue;
        }
        const expected = [...batch.priors, ...batch.outcomes];
        batch.priors.fill(-1, 0, count);
        batch.outcomes.fill(-1);
        if (!cache.read(batch, 0)) continue;
        hits += 1;
        expect(written.get(key)).toBe(count);
        expect([...batch.priors, ...batch.outcomes]).toEqual(expected);
      }
      expect(cache.hits).toBe(hits);
      if (size === 0) expect(hits).toBe(0);
    }),
    { numRuns: 200 },
  );
});

test('keeps the newest evaluations and forgets the oldest', () => {
  const cache = new EvaluationCache(10, 7);
  for (let key = 0; key < 1000; key++) {
    cache.write(batchOf(key, 7), 0);
    expect(cache.read(batchOf(key, 7), 0)).toBe(true);
    if (key >= 5) expect(cache.read(batchOf(key - 5, 7), 0)).toBe(true);
    if (key >= 20) expect(cache.read(batchOf(key - 20, 7), 0)).toBe(false);
  }
});

test('distinguishes keys of 53 bits', () => {
  const cache = new EvaluationCache(8, 7);
  const key = 2 ** 53 - 1;
  cache.write(batchOf(key, 3), 0);
  expect(cache.read(batchOf(key - 16, 3), 0)).toBe(false);
  expect(cache.read(batchOf(key, 4), 0)).toBe(false);
  expect(cache.read(batchOf(key, 3), 0)).toBe(true);
});
