/** Wire types of protocol buffers (protobuf.dev, "Encoding"); the others are not used by ONNX files. */
const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** Most fields of a message, far more than models have: each takes memory. */
const MAX_FIELDS = 50_000;

/** Thrown for bytes that are not a message of the expected form. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError';
}

/** The error for bytes that are no message at all. */
function malformed(found: string): ProtobufError {
  return new ProtobufError(`a file of another kind, or a damaged one: ${found}`);
}

/** A field of a message. */
export interface ProtobufField {
  readonly number: number;
  /** A whole number as a signed 64-bit integer; bytes, a text or a message as a view; null for floats. */
  readonly value: bigint | Uint8Array | null;
}

/** Reads from bytes without leaving their bounds. */
class Cursor {
  private readonly bytes: Uint8Array;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) break;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw malformed('a number without an end');
  }

  take(length: number): Uint8Array {
    if (!(length >= 0 && this.at + length <= this.bytes.length)) throw malformed('a field that is cut');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}

/**
 * The fields of a message, in order. Packed repeated numbers are one field with their bytes (`packedNumbers`).
 *
 * @throws ProtobufError
 */
export function protobufFields(bytes: Uint8Array): readonly ProtobufField[] {
  const fields: ProtobufField[] = [];
  const cursor = new Cursor(bytes);
  while (!cursor.isAtEnd) {
    if (fields.length === MAX_FIELDS) throw new ProtobufError(`more than ${MAX_FIELDS} fields of a message`);
    const tag = Number(cursor.varint());
    const number = Math.floor(tag / 8);
    if (!(number > 0 && number < 2 ** 29)) throw malformed(`a field of number ${number}`);
    switch (tag % 8) {
      case VARINT:
        fields.push({ number, value: cursor.varint() });
        break;
      case BYTES:
        fields.push({ number, value: cursor.take(Number(cursor.varint())) });
        break;
      case FIXED32:
        cursor.take(4);
        fields.push({ number, value: null });
        break;
      case FIXED64:
        cursor.take(8);
        fields.push({ number, value: null });
        break;
      default:
        throw malformed(`a field of type ${tag % 8}`);
    }
  }
  return fields;
}

/**
 * Whole numbers that are packed in the bytes of one field.
 *
 * @throws ProtobufError
 */
export function packedNumbers(bytes: Uint8Array): readonly bigint[] {
  const numbers: bigint[] = [];
  const cursor = new Cursor(bytes);
  while (!cursor.isAtEnd) {
    if (numbers.length === MAX_FIELDS) throw new ProtobufError(`more than ${MAX_FIELDS} numbers of a field`);
    numbers.push(cursor.varint());
  }
  return numbers;
}
