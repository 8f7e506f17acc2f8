import { DTYPES, type NumberArray } from '../../env/spaces/dtype.js';
import {
  type ArrowColumn,
  bytesColumn,
  encodeArrow,
  listColumn,
  type NullTest,
  numberColumn,
} from '../files/arrow-writing.js';
import {
  type AnyColumn,
  type ArrayOfColumn,
  dtypeOf,
  isLarge,
  isList,
  SHARD_COLUMNS,
  type ShardColumn,
} from './column-table.js';
import { nullTest, type ShardColumns } from './shard-columns.js';
import { formatShardMetadata, type ShardMetadata } from './shard-metadata.js';

/** The rows of a shard and their common metadata. */
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
  // NaN has more than one bit pattern, and equal rows must give equal bytes.
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
