import {
  sampleWith,
  contentOf,
  type RowContent,
  type ShardColumns,
  type SmallColumns,
} from './shard-columns.js';
import type { Sample } from './sample.js';

/** The rows of a shard: the small columns in memory, the large ones there or on the disk. */
export interface ShardRows {
  readonly columns: SmallColumns;
  /**
   * The large columns of row `index`.
   *
   * @throws DataError `file-missing`, `file-cut`, `file-unreadable` for rows on the disk.
   */
  readonly content: (index: number) => RowContent;
}

/** The rows of columns in memory. Contents are views. */
export function rowsInMemory(columns: ShardColumns): ShardRows {
  return { columns, content: (index) => contentOf(columns, index) };
}

/** Row `index` as an object, copied. For tools and tests. */
export function sampleOfRow(shard: ShardRows, index: number): Sample {
  return sampleWith(shard.columns, index, shard.content(index));
}
