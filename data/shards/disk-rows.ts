import { closeSync, readSync } from 'node:fs';
import { DataError } from '../data-error.js';
import { openInputSync } from '../files/input-file.js';
import {
  type ArrayOfColumn,
  emptyColumn,
  LARGE_COLUMNS,
  type LargeColumn,
  NUMBER_COLUMNS,
} from './column-table.js';
import {
  makeColumns,
  startOf,
  type RowContent,
  type ShardColumns,
  type SmallColumns,
} from './shard-columns.js';
import { rowsInMemory, type ShardRows } from './shard-rows.js';

type LargeArray = ArrayOfColumn<LargeColumn>;

/** Copies, so that the file's bytes are not kept alive. */
function copySmall(columns: ShardColumns): SmallColumns {
  const sizes = { ...columns, actionStart: columns.actionStart.slice() };
  return makeColumns(sizes, NUMBER_COLUMNS, ({ key }) => columns[key].slice());
}

/** Fills `out` with the file's bytes from `offset` on. */
function readAt(file: number, path: string, out: LargeArray, offset: number): void {
  const bytes = new Uint8Array(out.buffer, out.byteOffset, out.byteLength);
  for (let done = 0; done < bytes.length;) {
    const read = readSync(file, bytes, done, bytes.length - done, offset + done);
    if (read === 0) throw new DataError('file-cut', `expected ${bytes.length} bytes at ${offset} in ${path}`);
    done += read;
  }
}

/** Calls `use` with the file opened for reading. */
function withFile<Found>(path: string, use: (file: number) => Found): Found {
  const file = openInputSync(path, 'shard');
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}

/**
 * The rows of a shard whose large columns stay on the disk: Arrow's columns are plain arrays in the file, and each
 * row is read from its place. The file must not have changed since it was checked.
 *
 * @param columns as decoded from `bytes`, the whole file.
 */
export function rowsOnDisk(path: string, columns: ShardColumns, bytes: Uint8Array): ShardRows {
  // Arrow copies arrays that are not aligned in memory.
  if (LARGE_COLUMNS.some(({ key }) => columns[key].buffer !== bytes.buffer)) return rowsInMemory(columns);
  const small = copySmall(columns);
  /** Where each large column begins in the file. */
  const offsets = LARGE_COLUMNS.map(({ key }) => columns[key].byteOffset - bytes.byteOffset);
  const content = (index: number): RowContent =>
    withFile(path, (file) => {
      const arrays = LARGE_COLUMNS.map((column, i): [string, LargeArray] => {
        const [start, end] = [startOf(column, small, index), startOf(column, small, index + 1)];
        const out = emptyColumn(column, end - start) as LargeArray;
        readAt(file, path, out, offsets[i]! + start * out.BYTES_PER_ELEMENT);
        return [column.name, out];
      });
      return Object.fromEntries(arrays) as unknown as RowContent;
    });
  return { columns: small, content };
}
