import { DTYPES, type NumberArray } from '../../env/spaces/dtype.js';
import { DataError } from '../data-error.js';
import {
  type ArrowColumn,
  batchOf,
  bytesColumn,
  decodeArrow,
  encodeArrow,
  listColumn,
  type NullTest,
  numberColumn,
} from '../files/arrow-file.js';
import type { Data, FixedSizeBinary, RecordBatch } from '../files/arrow-library.js';
import {
  type AnyColumn,
  type ArrayOfColumn,
  dtypeOf,
  emptyColumn,
  isLarge,
  isList,
  LIST_COLUMNS,
  NUMBER_COLUMNS,
  SHARD_COLUMNS,
  type ShardColumn,
  typeName,
} from './column-table.js';
import { makeColumns, nullTest, type ShardColumns, startOf } from './shard-columns.js';
import { formatShardMetadata, parseShardMetadata, type ShardMetadata } from './shard-metadata.js';

/** The rows of a shard, and what is true of all of them. */
export interface DecodedShard {
  readonly metadata: ShardMetadata;
  readonly columns: ShardColumns;
}

/** The values of a column of numbers as the file has them. */
function fileValues(
  column: AnyColumn,
  values: ArrayOfColumn<ShardColumn>,
  isNull: NullTest | null,
): NumberArray {
  const out = new DTYPES[dtypeOf(column)].array(values.length);
  out.set(values);
  // NaN has more than one bit pattern, and equal rows are to give equal bytes.
  if (isNull !== null) for (let row = 0; row < out.length; row++) if (isNull(row)) out[row] = 0;
  return out;
}

/** A column for Arrow's writer, in arrays of its own. */
function arrowColumn(column: AnyColumn, columns: ShardColumns): ArrowColumn {
  const { name } = column;
  const values = columns[column.key];
  const isNull = nullTest(columns, column);
  if (!isLarge(column))
    return numberColumn(name, dtypeOf(column), fileValues(column, values, isNull), isNull);
  const copy = values.slice();
  if (isList(column)) {
    const items = { values: copy, count: copy.length };
    return listColumn(name, dtypeOf(column), columns.actionStart.slice(), items);
  }
  const size = { rows: columns.rows, width: columns.positionSize };
  return bytesColumn(name, size, copy as Uint8Array, isNull);
}

/**
 * The bytes of an Arrow IPC file with these rows in one record batch, uncompressed. Equal rows and metadata
 * give equal bytes.
 */
export function encodeShard(columns: ShardColumns, metadata: ShardMetadata): Uint8Array {
  const arrow = SHARD_COLUMNS.map((column) => arrowColumn(column, columns));
  return encodeArrow(arrow, columns.rows, formatShardMetadata(metadata));
}

/** The buffers of each column, by name, all of the expected type. */
function checkColumns(path: string, { schema, data }: RecordBatch): ReadonlyMap<string, Data> {
  const found = schema.fields.map((field) => `${field.name}: ${String(field.type)}`);
  const positionSize = Number(/^position: FixedSizeBinary\[(\d+)\]$/.exec(found[0] ?? '')?.[1]);
  const fits = SHARD_COLUMNS.every((column, index) => {
    return found[index] === `${column.name}: ${typeName(column, positionSize)}`;
  });
  if (fits) return new Map(SHARD_COLUMNS.map(({ name }, index) => [name, data.children[index]!]));
  throw new DataError('shard-format', `${path} does not have a shard's columns: ${found.join(', ')}`);
}

/** The values of a column: a view of the file's buffer, or a copy where it has nulls. */
function decodeColumn(column: AnyColumn, data: Data, length: number): ArrayOfColumn<ShardColumn> {
  // Arrow pads its buffers.
  const values = (data.values as ArrayOfColumn<ShardColumn>).subarray(0, length);
  const { absent } = column;
  if (absent === undefined) return values;
  const copy = emptyColumn(column, length);
  copy.set(values);
  const { nullCount, nullBitmap } = data;
  for (let row = 0; nullCount > 0 && row < length; row++) {
    if ((nullBitmap[row >> 3]! & (1 << (row & 7))) === 0) copy[row] = absent;
  }
  return copy;
}

/** `[N + 1]` where the list of each row begins and ends. */
function offsetsOf(list: Data): Int32Array {
  return (list.valueOffsets as Int32Array).subarray(0, list.length + 1);
}

/** The first offset or length that would make a reader leave its arrays, in words; null if there is none. */
function misfit(columns: ShardColumns, offsets: readonly Int32Array[]): string | null {
  const { rows, actionStart } = columns;
  for (const each of offsets) {
    if (each.length !== rows + 1) return 'offsets of another length';
    if (each.some((start, row) => start !== actionStart[row])) return 'lists that differ in length';
  }
  if (actionStart[0]! < 0) return 'a negative offset';
  for (let row = 0; row < rows; row++) {
    if (actionStart[row]! > actionStart[row + 1]!) return 'offsets that descend';
  }
  for (const column of SHARD_COLUMNS) {
    const { length } = columns[column.key];
    const expected = isLarge(column) ? startOf(column, columns, rows) : rows;
    if (length < expected) return `${length} values of ${column.name} where ${expected} are needed`;
  }
  return null;
}

/** The first value that a column cannot have, in words; null if there is none. */
function unknownValue(columns: ShardColumns): string | null {
  for (const { name, key, values, absent } of NUMBER_COLUMNS) {
    if (values === undefined) continue;
    const row = columns[key].findIndex((value) => !values.includes(value) && value !== absent);
    if (row !== -1) return `${name} ${columns[key][row]!} in row ${row}`;
  }
  return null;
}

/**
 * Reads what `encodeShard` wrote. Columns without nulls are views of `bytes`, the others copies.
 *
 * Pass only bytes that a checksum vouches for, as `readShard` does: see `decodeArrow`.
 *
 * @param path for messages.
 * @throws DataError `shard-format`, `shard-too-new`.
 */
export function decodeShard(path: string, bytes: Uint8Array): DecodedShard {
  const table = decodeArrow(path, bytes, 'shard-format');
  const metadata = parseShardMetadata(path, table.schema.metadata);
  const batch = batchOf(path, table, 'shard-format');
  const found = checkColumns(path, batch);
  const rows = batch.numRows;
  const lists = LIST_COLUMNS.map(({ name }) => found.get(name)!);
  const positionSize = (found.get('position') as Data<FixedSizeBinary>).type.byteWidth;
  const sizes = { rows, positionSize, actionStart: offsetsOf(lists[0]!) };
  const columns = makeColumns(sizes, SHARD_COLUMNS, (column) => {
    const data = found.get(column.name)!;
    if (isList(column)) return decodeColumn(column, data.children[0]!, data.children[0]!.length);
    return decodeColumn(column, data, isLarge(column) ? rows * positionSize : rows);
  }) as ShardColumns;
  const problem = misfit(columns, lists.map(offsetsOf)) ?? unknownValue(columns);
  if (problem === null) return { metadata, columns };
  throw new DataError('shard-format', `${path} has ${problem}`);
}
