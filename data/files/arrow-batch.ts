import type { ArrowField, ArrowLayout, ArrowNumbers } from './arrow-schema.js';
import { countAt, type FlatTable, type FlatVector } from './flatbuffer.js';

/** The values of a column. */
export interface ArrowValues {
  /** Numbers, bytes, or packed bits; a view of the file's bytes if they are aligned in memory, else a copy. */
  readonly values: ArrowNumbers;
  /**
   * Of lists and texts: `[rows + 1]`, where those of each row begin and end in `values`; ascending from 0 to
   * its length.
   */
  readonly offsets: Int32Array | null;
  /** Arrow's validity: bit `i`, lowest first, is 0 where value `i` is null; null if none is. */
  readonly validity: Uint8Array | null;
}

/** Fields of the table `RecordBatch`, by index; the size of the structs of its vectors, two numbers each. */
const BATCH = { rows: 0, nodes: 1, buffers: 2, compression: 3 };
const PAIR = 16;
/** Writers pad buffers to multiples of these. */
const ALIGNMENTS = [8, 64];

/** The columns of a record batch, by name, in order. */
export interface ArrowBatch {
  readonly rows: number;
  readonly columns: ReadonlyMap<string, ArrowValues>;
}

/** Number of zero bits among the first `count`. */
function countZeros(bits: Uint8Array, count: number): number {
  let zeros = 0;
  for (let index = 0; index < count; index++) zeros += ((bits[index >> 3]! >> (index & 7)) & 1) ^ 1;
  return zeros;
}

/**
 * Reads the columns of a record batch one after another. Their buffers must follow each other without gaps other than
 * padding, so that every byte of the body belongs to at most one of them.
 */
class BatchReader {
  private readonly body: Uint8Array;
  private readonly message: DataView;
  private readonly nodes: FlatVector;
  private readonly buffers: FlatVector;
  private node = 0;
  private buffer = 0;
  /** Where the last buffer ends in the body. */
  private end = 0;

  constructor(message: DataView, batch: FlatTable, body: Uint8Array) {
    this.body = body;
    this.message = message;
    this.nodes = batch.vector(BATCH.nodes, PAIR);
    this.buffers = batch.vector(BATCH.buffers, PAIR);
  }

  column({ layout, isNullable }: ArrowField, rows: number): ArrowValues {
    const nulls = this.expectNode(rows);
    if (nulls > 0 && !isNullable) throw new RangeError('nulls in a column that is not nullable');
    const validity = this.validity(rows, nulls);
    if (layout.kind === 'lists') {
      const offsets = this.offsets(rows);
      const count = offsets[rows]!;
      if (this.expectNode(count) > 0) throw new RangeError('nulls in lists');
      this.validity(count, 0);
      return { validity, offsets, values: this.values(layout.items, count) };
    }
    if (layout.kind !== 'texts') return { validity, offsets: null, values: this.values(layout, rows) };
    const offsets = this.offsets(rows);
    return { validity, offsets, values: this.bytes(offsets[rows]!) };
  }

  /** Checks that all arrays and buffers have been read. */
  finish(): void {
    if (this.node !== this.nodes.count || this.buffer !== this.buffers.count) {
      throw new RangeError(`${this.nodes.count} arrays and ${this.buffers.count} buffers, too many`);
    }
    this.expectNext(this.body.length);
  }

  /** Reads the next node, which must have `length` values; returns its number of nulls. */
  private expectNode(length: number): number {
    if (this.node === this.nodes.count) throw new RangeError('too few arrays');
    const at = this.nodes.start + PAIR * this.node++;
    const found = countAt(this.message, at);
    if (found !== length) throw new RangeError(`an array of ${found} values where ${length} are needed`);
    return countAt(this.message, at + 8);
  }

  private validity(length: number, nulls: number): Uint8Array | null {
    const size = Math.ceil(length / 8);
    const isThere = this.nextBuffer().size > 0;
    const bits = this.bytes(isThere ? size : 0);
    const found = isThere ? countZeros(bits, length) : 0;
    if (found !== nulls) throw new RangeError(`${found} nulls where ${nulls} are announced`);
    return nulls === 0 ? null : bits;
  }

  private offsets(rows: number): Int32Array {
    // Without rows, writers may omit the offsets.
    if (rows === 0 && this.nextBuffer().size === 0) {
      this.bytes(0);
      return new Int32Array(1);
    }
    const offsets = this.numbers(Int32Array, rows + 1) as Int32Array;
    if (offsets[0] !== 0) throw new RangeError(`lists that begin at ${offsets[0]!}`);
    for (let row = 0; row < rows; row++) {
      if (offsets[row]! > offsets[row + 1]!) throw new RangeError(`offsets that descend in row ${row}`);
    }
    return offsets;
  }

  private values(layout: ArrowLayout, count: number): ArrowNumbers {
    switch (layout.kind) {
      case 'numbers':
        return this.numbers(layout.array, count);
      case 'bits':
        return this.bytes(Math.ceil(count / 8));
      case 'bytes':
        return this.bytes(count * layout.width);
      case 'texts':
      case 'lists':
      case 'foreign':
        throw new RangeError(`a column of type ${layout.name}`);
    }
  }

  private numbers(array: (ArrowLayout & { kind: 'numbers' })['array'], count: number): ArrowNumbers {
    const size = array.BYTES_PER_ELEMENT;
    const bytes = this.bytes(count * size);
    const { buffer, byteOffset } = bytes.byteOffset % size === 0 ? bytes : bytes.slice();
    return new array(buffer, byteOffset, count);
  }

  /** The offset and size of the next buffer. */
  private nextBuffer(): { readonly offset: number; readonly size: number } {
    if (this.buffer === this.buffers.count) throw new RangeError('too few buffers');
    const at = this.buffers.start + PAIR * this.buffer;
    return { offset: countAt(this.message, at), size: countAt(this.message, at + 8) };
  }

  /** Reads the next buffer, of which `needed` bytes are used: a view. */
  private bytes(needed: number): Uint8Array {
    const { offset, size } = this.nextBuffer();
    this.buffer += 1;
    if (size < needed || size >= needed + ALIGNMENTS.at(-1)!) {
      throw new RangeError(`a buffer of ${size} bytes where ${needed} are needed`);
    }
    if (size === 0) return this.body.subarray(0, 0);
    this.expectNext(offset);
    this.end = offset + size;
    if (this.end > this.body.length)
      throw new RangeError(`a buffer up to ${this.end} of ${this.body.length} bytes`);
    return this.body.subarray(offset, offset + needed);
  }

  /** Checks that `offset` is the next one after the buffers that were read. */
  private expectNext(offset: number): void {
    if (ALIGNMENTS.some((size) => offset === Math.ceil(this.end / size) * size)) return;
    throw new RangeError(`${offset} where the next buffer after ${this.end} is expected`);
  }
}

/**
 * Reads the columns of a record batch.
 *
 * @param message the buffer that has the table `batch`.
 * @param body with all buffers; columns are views of it.
 * @throws RangeError if the batch does not fit the fields or its body.
 */
export function readColumns(
  message: DataView,
  batch: FlatTable,
  body: Uint8Array,
  fields: readonly ArrowField[],
): ArrowBatch {
  if (batch.has(BATCH.compression)) throw new RangeError('compressed buffers');
  const rows = batch.count(BATCH.rows);
  const reader = new BatchReader(message, batch, body);
  const columns = fields.map((field): [string, ArrowValues] => [field.name, reader.column(field, rows)]);
  reader.finish();
  return { rows, columns: new Map(columns) };
}

/** Whether row `row` is null. */
export function isNullAt({ validity }: ArrowValues, row: number): boolean {
  return validity !== null && (validity[row >> 3]! & (1 << (row & 7))) === 0;
}
