import { expectDatasetShards } from './dataset-folder.js';
import { DataError } from '../data-error.js';
import { type RowView, viewRow } from '../shards/row-view.js';
import { ShardsSummarizer, type ShardsSummary } from './shard-summary.js';
import { type ListingObserver, readShardFile } from '../shards/shard.js';

/** Counts of a dataset, and one of its rows on request. */
export interface DatasetSummary extends ShardsSummary {
  readonly row: (RowView & { readonly row: number; readonly shard: string }) | null;
}

/** Options of a summary. */
export interface SummaryOptions extends ListingObserver {
  /** A row to show, counted from 0 over all shards; null: none. */
  readonly row: number | null;
  /** Called after each shard with the number of shards done. */
  readonly onShard?: ((done: number, total: number) => void) | undefined;
}

/**
 * Counts the content of a dataset (a folder of shards, or a shard). Reads and checks one shard at a time.
 *
 * @throws DataError as `expectDatasetShards`, `readShardFile` and `viewRow`; `dataset-mixed`, `dataset-row`.
 */
export async function summarizeDataset(path: string, options: SummaryOptions): Promise<DatasetSummary> {
  const shards = await expectDatasetShards(path, options);
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
