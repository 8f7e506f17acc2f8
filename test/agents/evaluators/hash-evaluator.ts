import type { EvaluationBatch, Evaluator } from '../../../agents/evaluators/evaluator.js';

/** A number in [0, 1) that depends on two numbers. */
function scramble(a: number, b: number): number {
  let hash = Math.imul(a % 2 ** 31, 0x9e3779b9) ^ Math.imul(b + 1, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

/** An evaluation by the key of a position. */
export interface KeyedEvaluation {
  /** The prior of an action, up to a factor. */
  readonly weight: (key: number, policyIndex: number) => number;
  readonly outcome: (key: number) => readonly [win: number, draw: number, loss: number];
}

/** Fills the priors and outcomes of a batch. */
export function fillByKey(batch: EvaluationBatch, { weight, outcome }: KeyedEvaluation): void {
  for (let position = 0; position < batch.size; position++) {
    const key = batch.keys[position]!;
    const from = batch.start[position]!;
    const to = batch.start[position + 1]!;
    let sum = 0;
    for (let i = from; i < to; i++) {
      batch.priors[i] = weight(key, batch.policyIndices[i]!);
      sum += batch.priors[i]!;
    }
    for (let i = from; i < to; i++) batch.priors[i]! /= sum;
    batch.outcomes.set(outcome(key), 3 * position);
  }
}

/** Evaluates positions by their keys: arbitrarily, differently for each, and the same each time. */
export class HashEvaluator implements Evaluator {
  readonly name = 'hash';
  readonly readsInputs = true;
  /** Positions evaluated. */
  count = 0;

  evaluate(batch: EvaluationBatch): Promise<void> {
    fillByKey(batch, {
      weight: (key, policyIndex) => 0.05 + scramble(key, policyIndex),
      outcome: (key) => {
        const win = scramble(key, -5);
        return [win, 0, 1 - win];
      },
    });
    this.count += batch.size;
    return Promise.resolve();
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }
}
