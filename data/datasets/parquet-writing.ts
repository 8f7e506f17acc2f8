import {
  type AnyColumn,
  isList,
  isNullable,
  type NumberType,
  SHARD_COLUMNS,
} from '../shards/column-table.js';
import { valueOf } from '../shards/shard-columns.js';
import type { DecodedShard } from '../shards/shard-encoding.js';
import { formatShardMetadata } from '../shards/shard-metadata.js';
import { ByteWriter, parquetWrite, type SchemaElement } from './parquet-library.js';

/** Parquet's types for Arrow's numbers. */
const NUMBERS: Readonly<Record<NumberType, Pick<SchemaElement, 'type' | 'converted_type'>>> = {
  Uint8: { type: 'INT32', converted_type: 'UINT_8' },
  Uint16: { type: 'INT32', converted_type: 'UINT_16' },
  Uint32: { type: 'INT32', converted_type: 'UINT_32' },
  Int8: { type: 'INT32', converted_type: 'INT_8' },
  Float32: { type: 'FLOAT' },
};

/** A column in Parquet's schema: one element, or three for lists. */
function elementsOf(column: AnyColumn, positionSize: number): readonly SchemaElement[] {
  const { name, type } = column;
  const repetition_type = isNullable(column) ? 'OPTIONAL' : 'REQUIRED';
  if (type === 'FixedSizeBinary[P]') {
    return [{ name, type: 'FIXED_LEN_BYTE_ARRAY', type_length: positionSize, repetition_type }];
  }
  if (type !== 'List<Uint16>' && type !== 'List<Float32>') {
    return [{ name, ...NUMBERS[type], repetition_type }];
  }
  const items = NUMBERS[type === 'List<Uint16>' ? 'Uint16' : 'Float32'];
  return [
    { name, converted_type: 'LIST', num_children: 1, repetition_type },
    { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
    { name: 'element', ...items, repetition_type: 'REQUIRED' },
  ];
}

/**
 * The bytes of a Parquet file with the rows of a shard. Before a shard's columns it has `generation` and `seed` from
 * the metadata, so that many files can be read as one table; the file has all of the metadata, too.
 */
export function encodeParquet({ metadata, columns }: DecodedShard): Uint8Array {
  const { rows, positionSize } = columns;
  const constant = <Value>(value: Value): Value[] => new Array<Value>(rows).fill(value);
  const columnData = [
    { name: 'generation', data: constant(metadata.generation) },
    { name: 'seed', data: constant(BigInt(metadata.seed)) },
    ...SHARD_COLUMNS.map((column) => {
      const values = Array.from({ length: rows }, (_, row) => valueOf(columns, column, row));
      return {
        name: column.name,
        data: isList(column) ? values.map((list) => Array.from(list as Uint16Array)) : values,
      };
    }),
  ];
  const writer = new ByteWriter();
  void parquetWrite({
    writer,
    columnData,
    schema: [
      { name: 'root', num_children: columnData.length },
      { name: 'generation', type: 'INT32', converted_type: 'UINT_32', repetition_type: 'REQUIRED' },
      { name: 'seed', type: 'INT64', repetition_type: 'REQUIRED' },
      ...SHARD_COLUMNS.flatMap((column) => elementsOf(column, positionSize)),
    ],
    kvMetadata: Array.from(formatShardMetadata(metadata), ([key, value]) => ({ key, value })),
    createdBy: `gess-zero ${metadata.softwareVersion}`,
    // One row group a file.
    rowGroupSize: Math.max(1, rows),
  });
  return new Uint8Array(writer.getBuffer());
}
