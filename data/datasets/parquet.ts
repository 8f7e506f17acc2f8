import { tableFromIPC } from 'apache-arrow';
import { ByteWriter, type ColumnSource, parquetWrite, type SchemaElement } from 'hyparquet-writer';
import { type ColumnType, columnTypesOf } from '../shards/arrow-schema.js';
import { DataError } from '../data-error.js';
import { encodeShard, type DecodedShard } from '../shards/shard-encoding.js';

/** Numbers of Arrow, and what Parquet calls them. */
const NUMBERS: Readonly<Record<string, Omit<SchemaElement, 'name'>>> = {
  Uint8: { type: 'INT32', converted_type: 'UINT_8' },
  Uint16: { type: 'INT32', converted_type: 'UINT_16' },
  Uint32: { type: 'INT32', converted_type: 'UINT_32' },
  Int8: { type: 'INT32', converted_type: 'INT_8' },
  Int16: { type: 'INT32', converted_type: 'INT_16' },
  Int32: { type: 'INT32', converted_type: 'INT_32' },
  Float32: { type: 'FLOAT' },
  Float64: { type: 'DOUBLE' },
};

const LIST = /^List<(.+)>$/;
const BINARY = /^FixedSizeBinary\[(\d+)\]$/;

/** What of an Arrow column is read here, with the names that it has there. */
interface ColumnBuffers {
  readonly length: number;
  readonly nullCount: number;
  readonly nullBitmap: Uint8Array;
  readonly values: Uint8Array | Uint32Array;
  readonly valueOffsets: Int32Array;
  readonly children: readonly ColumnBuffers[];
}

function elementOf({ name, type, nullable }: ColumnType): SchemaElement {
  const repetition = { repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED' } as const;
  if (Object.hasOwn(NUMBERS, type)) return { name, ...NUMBERS[type], ...repetition };
  const bytes = BINARY.exec(type)?.[1];
  if (bytes !== undefined) {
    return { name, type: 'FIXED_LEN_BYTE_ARRAY', type_length: Number(bytes), ...repetition };
  }
  throw new DataError('shard-format', `expected a column that Parquet has, got ${name}: ${type}`);
}

/** A column in Parquet's schema: one element, or three for lists. */
function elementsOf(column: ColumnType): readonly SchemaElement[] {
  const item = LIST.exec(column.type)?.[1];
  if (item === undefined) return [elementOf(column)];
  const { name, nullable } = column;
  const repetition_type = nullable ? 'OPTIONAL' : 'REQUIRED';
  return [
    { name, converted_type: 'LIST', num_children: 1, repetition_type },
    { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
    elementOf({ name: 'element', type: item, nullable: false }),
  ];
}

function isNull({ nullCount, nullBitmap }: ColumnBuffers, row: number): boolean {
  return nullCount > 0 && (nullBitmap[row >> 3]! & (1 << (row & 7))) === 0;
}

/** The value of a row that is not null. */
function valueOf(type: string, { values, valueOffsets, children }: ColumnBuffers, row: number): unknown {
  const item = LIST.exec(type)?.[1];
  if (item !== undefined) {
    const items = children[0]!.values.subarray(valueOffsets[row], valueOffsets[row + 1]);
    return Array.from(items);
  }
  const bytes = Number(BINARY.exec(type)?.[1] ?? 0);
  return bytes > 0 ? values.subarray(row * bytes, (row + 1) * bytes) : values[row]!;
}

function columnOf({ name, type }: ColumnType, buffers: ColumnBuffers): ColumnSource {
  const data = Array.from({ length: buffers.length }, (_, row) =>
    isNull(buffers, row) ? null : valueOf(type, buffers, row),
  );
  return { name, data };
}

/**
 * The bytes of a Parquet file with the rows of a shard: its columns, whatever they are, and before them `generation` and
 * `seed`, which a shard has in its metadata, so that many files can be read as one table. The metadata is there too.
 *
 * @throws DataError `shard-format` for a column that Parquet has no type for.
 */
export function encodeParquet({ metadata, columns }: DecodedShard): Uint8Array {
  const { schema, batches } = tableFromIPC(encodeShard(columns, metadata));
  const types = columnTypesOf(schema);
  const children = (batches[0]?.data.children ?? []) as unknown as readonly ColumnBuffers[];
  const { rows } = columns;
  const constant = <Value>(value: Value): Value[] => new Array<Value>(rows).fill(value);
  const columnData: ColumnSource[] = [
    { name: 'generation', data: constant(metadata.generation) },
    { name: 'seed', data: constant(BigInt(metadata.seed)) },
    ...types.map((column, index) => columnOf(column, children[index]!)),
  ];
  const writer = new ByteWriter();
  void parquetWrite({
    writer,
    columnData,
    schema: [
      { name: 'root', num_children: columnData.length },
      { name: 'generation', type: 'INT32', converted_type: 'UINT_32', repetition_type: 'REQUIRED' },
      { name: 'seed', type: 'INT64', repetition_type: 'REQUIRED' },
      ...types.flatMap(elementsOf),
    ],
    kvMetadata: Array.from(schema.metadata, ([key, value]) => ({ key, value })),
    createdBy: `gess-zero ${metadata.softwareVersion}`,
    // One row group a file.
    rowGroupSize: Math.max(1, rows),
  });
  return new Uint8Array(writer.getBuffer());
}
