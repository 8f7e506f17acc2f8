import type { Dtype, NumberArray } from '../../env/spaces/dtype.js';
import {
  Bool,
  type Data,
  type DataType,
  Field,
  FixedSizeBinary,
  Float32,
  Float64,
  Int16,
  Int32,
  Int8,
  List,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  tableToIPC,
  Uint16,
  Uint32,
  Uint8,
} from './arrow-library.js';
import type { ItemType } from './arrow-types.js';

/** A column of an Arrow file. */
export interface ArrowColumn {
  readonly field: Field;
  readonly data: Data;
}

/** Tells whether the value of a row is null. */
export type NullTest = (row: number) => boolean;

const ARROW_TYPES: Readonly<Record<ItemType, () => DataType>> = {
  bit: () => new Bool(),
  float32: () => new Float32(),
  float64: () => new Float64(),
  int8: () => new Int8(),
  uint8: () => new Uint8(),
  int16: () => new Int16(),
  uint16: () => new Uint16(),
  int32: () => new Int32(),
  uint32: () => new Uint32(),
};

/** `makeData`, whose overloads each accept one type, for a type known only at run time. */
const makeAnyData = makeData as (properties: {
  readonly type: DataType;
  readonly length: number;
  readonly nullCount: number;
  readonly nullBitmap?: Uint8Array;
  readonly data?: NumberArray;
  readonly valueOffsets?: Int32Array;
  readonly child?: Data;
}) => Data;

/** Arrow's validity bitmap: bit `i`, lowest first, is 1 where value `i` is not null. */
function validity(
  rows: number,
  isNull: NullTest | null,
): { readonly nullCount: number; readonly nullBitmap?: Uint8Array } {
  if (isNull === null) return { nullCount: 0 };
  const nullBitmap = new Uint8Array((rows + 7) >> 3);
  let nullCount = 0;
  for (let row = 0; row < rows; row++) {
    if (isNull(row)) nullCount += 1;
    else nullBitmap[row >> 3]! |= 1 << (row & 7);
  }
  return { nullCount, nullBitmap };
}

/**
 * A column of numbers.
 *
 * @param values `[rows]`, of the element type `dtype`; kept. Zeros under nulls make equal rows equal bytes.
 * @param isNull null for a column that is not nullable.
 */
export function numberColumn(
  name: string,
  dtype: Dtype,
  values: NumberArray,
  isNull: NullTest | null,
): ArrowColumn {
  const type = ARROW_TYPES[dtype]();
  const data = makeAnyData({ type, length: values.length, ...validity(values.length, isNull), data: values });
  return { field: new Field(name, type, isNull !== null), data };
}

/**
 * A column of byte strings of one length.
 *
 * @param values `[rows, width]`; kept.
 * @param isNull null for a column that is not nullable.
 */
export function bytesColumn(
  name: string,
  { rows, width }: { readonly rows: number; readonly width: number },
  values: Uint8Array,
  isNull: NullTest | null,
): ArrowColumn {
  const type = new FixedSizeBinary(width);
  const data = makeAnyData({ type, length: rows, ...validity(rows, isNull), data: values });
  return { field: new Field(name, type, isNull !== null), data };
}

/**
 * A column of lists of numbers, without nulls.
 *
 * @param offsets `[rows + 1]` where each row's list begins and ends in `items`; kept.
 * @param items of all rows; kept. For type `bit`: `count` packed bits.
 */
export function listColumn(
  name: string,
  itemType: ItemType,
  offsets: Int32Array,
  items: { readonly values: NumberArray; readonly count: number },
): ArrowColumn {
  const type = ARROW_TYPES[itemType]();
  const child = makeAnyData({ type, length: items.count, nullCount: 0, data: items.values });
  const list = new List(new Field('item', type, false));
  const rows = offsets.length - 1;
  const data = makeAnyData({ type: list, length: rows, nullCount: 0, valueOffsets: offsets, child });
  return { field: new Field(name, list, false), data };
}

/**
 * The bytes of an Arrow IPC file with these columns in one record batch, uncompressed. Equal columns and metadata give
 * equal bytes.
 *
 * @param columns in arrays that share no `ArrayBuffer`: Arrow's writer takes neighbouring buffers in one for a single
 *   piece of memory and writes too little (apache-arrow 21.2, `joinUint8Arrays`).
 */
export function encodeArrow(
  columns: readonly ArrowColumn[],
  rows: number,
  metadata: Map<string, string>,
): Uint8Array {
  const fields = columns.map(({ field }) => field);
  const schema = new Schema(fields, metadata);
  const children = columns.map(({ data }) => data);
  const data = makeData({ type: new Struct(fields), length: rows, nullCount: 0, children });
  return tableToIPC(new Table(schema, [new RecordBatch(schema, data)]), 'file');
}
