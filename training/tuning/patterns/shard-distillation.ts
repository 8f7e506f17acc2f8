import { listShardsOfDatasets } from '../../../data/datasets/dataset-folder.js';
import type { ListingObserver } from '../../../data/shards/shard.js';
import { PatternKernel } from '../../../env/gess/heuristics/patterns/pattern-kernel.js';
import { OUTPUT_ONE, type PatternWeights } from '../../../env/gess/heuristics/patterns/pattern-weights.js';
import { distill, type DistillationOptions, quantise } from './distillation.js';
import { type PatternRows, readPatternRows, restoreRow } from './pattern-rows.js';

/** Share of the games that are held back. */
const VALIDATION_SHARE = 0.05;

/** Settings of a distillation. */
export interface ShardDistillationOptions extends DistillationOptions, ListingObserver {
  /** Datasets: folders of shards, with their subfolders, or shards. */
  readonly data: readonly string[];
  readonly rules: string;
  /** Weight of the game's result in the value to learn, in [0, 1]. */
  readonly resultShare: number;
  /** Greatest number of positions to read. */
  readonly maxRows: number;
  /** Called after each shard with the number read and of all. */
  readonly onShard?: (done: number, all: number) => void;
}

/** The result of a distillation. */
export interface Distillation {
  readonly weights: PatternWeights;
  readonly positions: number;
  readonly steps: number;
  /** Held-back positions, and the mean squared error of the quantised network's value on them. */
  readonly heldBack: { readonly positions: number; readonly error: number };
}

/** Mean squared error of the quantised network's values. */
function errorOf(weights: PatternWeights, rows: PatternRows): number {
  const kernel = new PatternKernel(weights);
  let sum = 0;
  for (let row = 0; row < rows.count; row++) {
    const { stones, rings } = restoreRow(rows, row);
    const value = Math.tanh(kernel.evaluate(stones, rings, 0) / OUTPUT_ONE);
    sum += (value - rows.values[row]!) ** 2;
  }
  return sum / rows.count;
}

/**
 * Learns a pattern network from the values in shards: those of searches, or those of a network without search.
 *
 * @returns null if it was aborted.
 * @throws DataError for shards that cannot be used; TrainingError `distillation-rows`.
 */
export async function distillFromShards(options: ShardDistillationOptions): Promise<Distillation | null> {
  const rows = await readPatternRows(await listShardsOfDatasets(options.data, options), {
    ...options,
    validationShare: VALIDATION_SHARE,
  });
  if (rows === null) return null;
  const { training, held } = rows;
  const parameters = await distill(training, options);
  if (parameters === null) return null;
  const weights = quantise(parameters);
  return {
    weights,
    positions: training.count,
    steps: options.passes * Math.ceil(training.count / options.batchSize),
    heldBack: { positions: held.count, error: errorOf(weights, held) },
  };
}
