import type { EvaluationBatch, Evaluator } from '../../../agents/evaluators/evaluator.js';

/** A number in [0, 1) that depends on two numbers. */
function scramble(a: number, b: number): number {
  let hash = Math.imul(a % 2 ** 31, 0x9e3779b9) ^ Math.imul(b + 1, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

/** Evaluates positions by their keys: arbitrarily, differently for each, and the same each time. */
export class HashEvaluator implements Evaluator {
  readonly name = 'hash';
  readonly readsInputs = true;
  /** Positions evaluated. */
  count = 0;

  evaluate(batch: EvaluationBatch): Promise<void> {
    for (let position = 0; position < batch.size; position++) {
      const key = batch.keys[position]!;
      const from = batch.start[position]!;
      const to = batch.start[position + 1]!;
      let sum = 0;
      for (let i = from; i < to; i++) {
        batch.priors[i] = 0.05 + scramble(key, batch.policyIndices[i]!);
        sum += batch.priors[i]!;
      }
      for (let i = from; i < to; i++) batch.priors[i]! /= sum;
      const win = scramble(key, -5);
      batch.outcomes.set([win, 0, 1 - win], 3 * position);
    }
    this.count += batch.size;
    return Promise.resolve();
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }
}
