import type { NumberArray } from '../../env/spaces/dtype.js';
import type { FlatTable } from './flatbuffer.js';

/** A typed array of any numbers of a column, 64-bit ones included. */
export type ArrowNumbers = NumberArray | BigInt64Array | BigUint64Array;

/** Constructor of typed arrays over a buffer. */
interface NumbersType {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, start: number, length: number): ArrowNumbers;
}

/** Layout of a column's values in a file; `name` is that of the type in Arrow. */
export type ArrowLayout =
  | { readonly kind: 'numbers'; readonly name: string; readonly array: NumbersType }
  /** Packed eight to a byte, lowest bit first. */
  | { readonly kind: 'bits'; readonly name: string }
  /** Byte strings of one length. */
  | { readonly kind: 'bytes'; readonly name: string; readonly width: number }
  | { readonly kind: 'texts'; readonly name: string }
  | { readonly kind: 'lists'; readonly name: string; readonly items: ArrowLayout }
  /** A type that no file of this program has. */
  | { readonly kind: 'foreign'; readonly name: string };

/** A column as the schema describes it. */
export interface ArrowField {
  readonly name: string;
  readonly layout: ArrowLayout;
  readonly isNullable: boolean;
}

/** The schema of a file. */
export interface ArrowSchema {
  readonly fields: readonly ArrowField[];
  readonly metadata: ReadonlyMap<string, string>;
}

const NUMBERS: Readonly<Record<string, NumbersType>> = {
  Int8: Int8Array,
  Uint8: Uint8Array,
  Int16: Int16Array,
  Uint16: Uint16Array,
  Int32: Int32Array,
  Uint32: Uint32Array,
  Int64: BigInt64Array,
  Uint64: BigUint64Array,
  Float32: Float32Array,
  Float64: Float64Array,
};

/** Names of floating-point types by Arrow's `Precision`. */
const FLOATS = ['Float16', 'Float32', 'Float64'];
/** Kinds of the union `Type`. */
const TYPES = { int: 2, floatingPoint: 3, utf8: 5, bool: 6, list: 12, fixedSizeBinary: 15 };
/** The greatest length of a byte string: a packed position has less than a hundred. */
const MAX_WIDTH = 2 ** 16;
/** Maximum number of columns, and of pairs of metadata: far more than any file of this program has. */
const MAX_ENTRIES = 4096;

/** Fields of the tables of Arrow's schema, by index. */
const SCHEMA = { endianness: 0, fields: 1, metadata: 2 };
const FIELD = { name: 0, isNullable: 1, typeKind: 2, type: 3, dictionary: 4, children: 5 };
const KEY_VALUE = { key: 0, value: 1 };

/**
 * Decodes the texts of a schema; together they must not be longer than the schema, as many offsets may point
 * to one text.
 */
class TextReader {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });
  private left: number;

  constructor(bytes: number) {
    this.left = bytes;
  }

  read(table: FlatTable, field: number): string {
    const bytes = table.text(field);
    this.left -= bytes.length;
    if (this.left < 0) throw new RangeError('texts that overlap');
    return this.decoder.decode(bytes);
  }
}

function numbers(name: string): ArrowLayout {
  const array = NUMBERS[name];
  return array === undefined ? { kind: 'foreign', name } : { kind: 'numbers', name, array };
}

function byteStrings(width: number): ArrowLayout {
  if (width < 0 || width > MAX_WIDTH) throw new RangeError(`byte strings of ${width}`);
  return { kind: 'bytes', name: `FixedSizeBinary[${width}]`, width };
}

function layoutOf(field: FlatTable, isItem = false): ArrowLayout {
  const kind = field.uint8(FIELD.typeKind);
  const type = field.expectTable(FIELD.type);
  const children = field.vector(FIELD.children, 4).count;
  if (field.has(FIELD.dictionary)) return { kind: 'foreign', name: 'Dictionary' };
  if (children !== (kind === TYPES.list ? 1 : 0)) return { kind: 'foreign', name: `type ${kind}` };
  switch (kind) {
    case TYPES.int:
      return numbers(`${type.uint8(1) === 0 ? 'Uint' : 'Int'}${type.int32(0)}`);
    case TYPES.floatingPoint:
      return numbers(FLOATS[type.int16(0)] ?? 'Float16');
    case TYPES.utf8:
      return { kind: 'texts', name: 'Utf8' };
    case TYPES.bool:
      return { kind: 'bits', name: 'Bool' };
    case TYPES.fixedSizeBinary:
      return byteStrings(type.int32(0));
    case TYPES.list: {
      if (isItem) return { kind: 'foreign', name: 'List' };
      const items = layoutOf(field.tables(FIELD.children)[0]!, true);
      return { kind: 'lists', name: `List<${items.name}>`, items };
    }
    default:
      return { kind: 'foreign', name: `type ${kind}` };
  }
}

/**
 * Reads a table `Schema`. Its work and memory are proportional to its bytes.
 *
 * @param bytes length of the buffer that has the table.
 * @throws RangeError, TypeError (not UTF-8) for a malformed schema.
 * @see https://github.com/apache/arrow/blob/main/format/Schema.fbs
 */
export function readSchema(schema: FlatTable, bytes: number): ArrowSchema {
  if (schema.int16(SCHEMA.endianness) !== 0) throw new RangeError('numbers that are not little-endian');
  for (const field of [SCHEMA.fields, SCHEMA.metadata]) {
    const { count } = schema.vector(field, 4);
    if (count > MAX_ENTRIES) throw new RangeError(`${count} columns or metadata`);
  }
  const texts = new TextReader(bytes);
  const fields = schema.tables(SCHEMA.fields).map((field) => ({
    name: texts.read(field, FIELD.name),
    layout: layoutOf(field),
    isNullable: field.uint8(FIELD.isNullable) !== 0,
  }));
  const metadata = new Map<string, string>();
  for (const pair of schema.tables(SCHEMA.metadata)) {
    const key = texts.read(pair, KEY_VALUE.key);
    if (metadata.has(key)) throw new RangeError(`metadata with two ${key}`);
    metadata.set(key, texts.read(pair, KEY_VALUE.value));
  }
  return { fields, metadata };
}
