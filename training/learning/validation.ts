import type * as z from 'zod';
import type { RowWindow } from '../../data/datasets/row-window.js';
import { NO_RESULT } from '../../data/shards/column-table.js';
import type { NetworkLoss } from './network-loss.js';
import type { BatchPreparation } from './batch-preparation.js';
import { LearnerLosses, LossMeans } from './loss-means.js';
import type { TrainingBatch } from './training-batch.js';
import { CalibrationSummary, ValueCalibration } from './value-calibration.js';

/** Largest number of batches of held-back rows to evaluate. */
const VALIDATION_BATCHES = 16;

/** Losses of a network on rows that it did not learn from. */
export const Validation = LearnerLosses.extend({
  /** Calibration on the rows whose game has a result; null if there are none. */
  calibration: CalibrationSummary.nullable(),
});
export type Validation = z.infer<typeof Validation>;

/** Tools of `validate`. */
export interface ValidationTools<State> {
  readonly window: RowWindow;
  readonly loss: NetworkLoss;
  readonly preparation: BatchPreparation<State>;
  /** Overwritten. */
  readonly batch: TrainingBatch;
}

/** Evaluates a network on held-back rows, spread over the window as sampled rows are; null if there are none. */
export function validate<State>(
  { window, loss, preparation, batch }: ValidationTools<State>,
  weights: Float32Array,
): Validation | null {
  const rows = window.spreadValidationRows(VALIDATION_BATCHES * batch.capacity);
  const count = rows.length;
  if (count === 0) return null;
  const means = new LossMeans();
  const calibration = new ValueCalibration();
  for (let first = 0; first < count; first += batch.capacity) {
    const some = rows.subarray(first, first + batch.capacity);
    preparation.fill(batch, window, some, null);
    const { sums, outcomes } = loss.evaluate(weights, batch);
    means.add(sums);
    for (const [i, row] of some.entries()) {
      const result = window.shard(row).columns.results[window.index(row)]!;
      if (result !== NO_RESULT) calibration.add(outcomes[i * 3]! - outcomes[i * 3 + 2]!, result);
    }
  }
  return { ...means.means(), calibration: calibration.summary() };
}
