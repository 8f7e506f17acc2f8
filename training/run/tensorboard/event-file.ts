import { loadOptional } from '../../../env/optional-packages.js';

const { BinaryWriter, WireType } = await loadOptional(
  '@bufbuild/protobuf',
  () => import('@bufbuild/protobuf/wire'),
);

/** Scalars of one step. */
export interface ScalarEvent {
  /** Position on the horizontal axis. */
  readonly step: number;
  /** Wall-clock time, in seconds since 1970. */
  readonly seconds: number;
  /** By tag; a slash separates the group from the rest of the name. */
  readonly scalars: ReadonlyMap<string, number>;
}

/** Version in the first record of a file. */
const FILE_VERSION = 'brain.Event:2';

/** Castagnoli's polynomial with its bits reversed. */
const POLYNOMIAL = 0x82f6_3b78;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (remainder & 1 ? POLYNOMIAL : 0);
  return remainder;
});

/**
 * CRC-32C, an unsigned integer of 32 bits.
 *
 * @see RFC 3720, appendix B.4.
 */
export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** The masked checksum of TFRecord files: a CRC of data that holds CRCs would be weak. */
function maskedCrc(bytes: Uint8Array): number {
  const crc = crc32c(bytes);
  return (((crc >>> 15) | (crc << 17)) + 0xa282_ead8) >>> 0;
}

/**
 * A record of a TFRecord file: length (uint64), its checksum, data, its checksum; all little-endian.
 *
 * @see tensorflow/core/lib/io/record_writer.h, "Format of a single record".
 */
function encodeRecord(data: Uint8Array): Uint8Array {
  const record = new Uint8Array(data.length + 16);
  const view = new DataView(record.buffer);
  view.setBigUint64(0, BigInt(data.length), true);
  view.setUint32(8, maskedCrc(record.subarray(0, 8)), true);
  record.set(data, 12);
  view.setUint32(12 + data.length, maskedCrc(data), true);
  return record;
}

/** `tensorflow.Event` with `file_version`. */
function encodeVersion(seconds: number): Uint8Array {
  const writer = new BinaryWriter();
  writer.tag(1, WireType.Bit64).double(seconds);
  writer.tag(3, WireType.LengthDelimited).string(FILE_VERSION);
  return writer.finish();
}

/** `tensorflow.Event` with a `summary` of values `tag` and `simple_value`. */
function encodeScalars({ step, seconds, scalars }: ScalarEvent): Uint8Array {
  const writer = new BinaryWriter();
  writer.tag(1, WireType.Bit64).double(seconds);
  writer.tag(2, WireType.Varint).int64(step);
  writer.tag(5, WireType.LengthDelimited).fork();
  for (const [tag, value] of scalars) {
    writer.tag(1, WireType.LengthDelimited).fork();
    writer.tag(1, WireType.LengthDelimited).string(tag);
    writer.tag(2, WireType.Bit32).float(value);
    writer.join();
  }
  writer.join();
  return writer.finish();
}

/**
 * Encodes a TensorBoard event file. The bytes of more events begin with those of fewer, so a file can grow.
 *
 * @see tensorboard/compat/proto/event.proto and summary.proto for the messages and the numbers of their fields.
 */
export function encodeEventFile(events: readonly ScalarEvent[]): Uint8Array {
  const messages = [encodeVersion(events[0]?.seconds ?? 0), ...events.map(encodeScalars)];
  return Buffer.concat(messages.map(encodeRecord));
}
