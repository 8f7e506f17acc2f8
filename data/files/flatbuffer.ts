/** Fields of a vtable begin after its own size and that of its table. */
const VTABLE_HEADER = 4;

/** The elements of a vector: `count` of them from `start`, in bytes from the buffer's start. */
export interface FlatVector {
  readonly start: number;
  readonly count: number;
}

/**
 * A table of an untrusted FlatBuffer. The accessors of the `flatbuffers` package trust the buffer: a wrong offset leads
 * them backwards or outside of it. Here every read is within `view`, and offsets lead only forwards, as the format
 * demands.
 *
 * Methods take the index of a field in the schema and throw RangeError for a buffer that is not well-formed.
 *
 * @see https://flatbuffers.dev/internals/
 */
export class FlatTable {
  private readonly view: DataView;
  private readonly position: number;
  private readonly vtable: number;

  private constructor(view: DataView, position: number) {
    this.view = view;
    this.position = position;
    this.vtable = position - view.getInt32(position, true);
    // Reads the whole vtable and table once: RangeError if either leaves the buffer.
    for (const [start, size] of [
      [this.vtable, view.getUint16(this.vtable, true)],
      [position, view.getUint16(this.vtable + 2, true)],
    ] as const) {
      if (size < VTABLE_HEADER || start + size > view.byteLength)
        throw new RangeError('a table out of bounds');
    }
  }

  /** The root table of a buffer. */
  static root(view: DataView): FlatTable {
    return new FlatTable(view, view.getUint32(0, true));
  }

  /** An unsigned byte, also a boolean or the kind of a union. */
  uint8(field: number): number {
    const at = this.find(field, 1);
    return at === null ? 0 : this.view.getUint8(at);
  }

  int16(field: number): number {
    const at = this.find(field, 2);
    return at === null ? 0 : this.view.getInt16(at, true);
  }

  int32(field: number): number {
    const at = this.find(field, 4);
    return at === null ? 0 : this.view.getInt32(at, true);
  }

  /** A count, stored as a 64-bit integer. */
  count(field: number): number {
    const at = this.find(field, 8);
    return at === null ? 0 : countAt(this.view, at);
  }

  has(field: number): boolean {
    return this.find(field, 1) !== null;
  }

  /** A table, also that of a union; null if absent. */
  table(field: number): FlatTable | null {
    const at = this.target(field);
    return at === null ? null : new FlatTable(this.view, at);
  }

  /** A table that must not be absent. */
  expectTable(field: number): FlatTable {
    const found = this.table(field);
    if (found === null) throw new RangeError('a table is missing');
    return found;
  }

  /** A vector of numbers or structs of `size` bytes each. */
  vector(field: number, size: number): FlatVector {
    const at = this.target(field);
    if (at === null) return { start: 0, count: 0 };
    const count = this.view.getUint32(at, true);
    const start = at + 4;
    if (start + count * size > this.view.byteLength) throw new RangeError('a vector out of bounds');
    return { start, count };
  }

  /** A vector of tables. */
  tables(field: number): readonly FlatTable[] {
    const { start, count } = this.vector(field, 4);
    return Array.from({ length: count }, (_, index) => {
      const at = start + 4 * index;
      return new FlatTable(this.view, at + this.view.getUint32(at, true));
    });
  }

  /** The bytes of a string, a view; empty if absent. */
  text(field: number): Uint8Array {
    const { start, count } = this.vector(field, 1);
    return new Uint8Array(this.view.buffer, this.view.byteOffset + start, count);
  }

  /** Where a field of `size` bytes lies; null if it is absent and has its default. */
  private find(field: number, size: number): number | null {
    const entry = VTABLE_HEADER + 2 * field;
    if (entry + 2 > this.view.getUint16(this.vtable, true)) return null;
    const offset = this.view.getUint16(this.vtable + entry, true);
    if (offset === 0) return null;
    if (offset + size > this.view.getUint16(this.vtable + 2, true))
      throw new RangeError('a field out of bounds');
    return this.position + offset;
  }

  /** The position that the offset in a field points to; null if it is absent. */
  private target(field: number): number | null {
    const at = this.find(field, 4);
    return at === null ? null : at + this.view.getUint32(at, true);
  }
}

/**
 * The count at `at`, stored as a 64-bit integer.
 *
 * @throws RangeError if it is negative or above 2^53.
 */
export function countAt(view: DataView, at: number): number {
  const count = Number(view.getBigInt64(at, true));
  if (count < 0 || !Number.isSafeInteger(count)) throw new RangeError(`a count of ${count}`);
  return count;
}
