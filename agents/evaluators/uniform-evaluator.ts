import type { EvaluationBatch, Evaluator } from './evaluator.js';

/** Knows nothing: every legal action is as good as any other, every position even. */
export class UniformEvaluator implements Evaluator {
  readonly name = 'uniform';
  readonly readsInputs = false;

  evaluate(batch: EvaluationBatch): Promise<void> {
    for (let position = 0; position < batch.size; position++) {
      const from = batch.start[position]!;
      const to = batch.start[position + 1]!;
      batch.priors.fill(1 / (to - from), from, to);
      batch.outcomes.fill(1 / 3, 3 * position, 3 * position + 3);
    }
    return Promise.resolve();
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }
}
