import { expectDatasetShards } from './dataset-folder.js';
import { DataError } from '../data-error.js';
import { type RowView, viewRow } from '../shards/row-view.js';
import { ShardsSummarizer, type ShardsSummary } from './shard-summary.js';
import { readShardFile } from '../shards/shard.js';

/** What is in a dataset, and one of its rows if asked for. */
export interface DatasetSummary extends ShardsSummary {
  readonly row: (RowView & { readonly row: number; readonly shard: string }) | null;
}

/** What to count of a dataset. */
export interface SummaryOptions {
  /** A row to draw, from 0, as the shards follow one another; null: none. */
  readonly row: number | null;
  /** Told after each shard how many are done. */
  readonly onShard?: ((done: number, total: number) => void) | undefined;
}

/**
 * Counts what is in a dataset (a folder of shards, or a shard), reading it shard by shard, each checked.
 *
 * @throws DataError what `expectDatasetShards`, `readShardFile` and `viewRow` throw, `dataset-mixed`, `dataset-row`.
 */
export async function summarizeDataset(path: string, options: SummaryOptions): Promise<DatasetSummary> {
  const shards = await expectDatasetShards(path);
  const summarizer = new ShardsSummarizer();
  let row: DatasetSummary['row'] = null;
  let firstRow = 0;
  for (const [index, shardPath] of shards.entries()) {
    const shard = await readShardFile(shardPath);
    summarizer.add(shardPath, shard);
    const within = (options.row ?? Infinity) - firstRow;
    if (within >= 0 && within < shard.columns.rows) {
      row = { row: options.row!, shard: shardPath, ...viewRow(shardPath, shard, within) };
    }
    firstRow += shard.columns.rows;
    options.onShard?.(index + 1, shards.length);
  }
  if (options.row !== null && row === null) {
    throw new DataError(
      'dataset-row',
      `expected a row from 0 to ${firstRow - 1} of ${path}, got ${options.row}`,
    );
  }
  return { ...summarizer.summary(), row };
}
