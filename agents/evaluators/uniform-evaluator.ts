import type { EvaluationBatch, Evaluator } from './evaluator.js';

/** Assigns the same prior to every legal action, and even chances to every position. */
export class UniformEvaluator implements Evaluator {
  readonly name = 'uniform';
  readonly readsInputs = false;

  evaluate(batch: EvaluationBatch): Promise<void> {
    for (let index = 0; index < batch.size; index++) {
      batch.fillPriors(index);
      batch.outcomes.fill(1 / 3, 3 * index, 3 * index + 3);
    }
    return Promise.resolve();
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }
}
