import { loadOptional } from '../../../env/optional-packages.js';

const { BinaryWriter, WireType } = await loadOptional(
  '@bufbuild/protobuf',
  () => import('@bufbuild/protobuf/wire'),
);

/** The position of an event in time. */
interface EventTime {
  /** Position on the horizontal axis. */
  readonly step: number;
  /** Wall-clock time, in seconds since 1970. */
  readonly seconds: number;
}

/** Scalars of one step. */
export interface ScalarEvent extends EventTime {
  /** By tag; a slash separates the group from the rest of the name. */
  readonly scalars: ReadonlyMap<string, number>;
}

/** A colour image. */
export interface ImageEvent extends EventTime {
  readonly tag: string;
  /** A PNG file of this size in pixels. */
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A value of a hyper-parameter. */
export type Hyperparameter = number | string | boolean;

/** Hyper-parameters of a run, for TensorBoard's plugin of that name. */
export interface HyperparametersEvent extends EventTime {
  readonly values: ReadonlyMap<string, Hyperparameter>;
  /** Tags of the scalars by which runs are compared. */
  readonly metrics: readonly string[];
}

/** An event of a file. */
export type BoardEvent = ScalarEvent | ImageEvent | HyperparametersEvent;

/** Colour space of an image: three channels. */
const RGB = 3;

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

/** The masked checksum of TFRecord files; a plain CRC of data that contains CRCs would be weak. */
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

type Writer = InstanceType<typeof BinaryWriter>;

/** Writes a field with a message. */
function nest(writer: Writer, field: number, write: () => void): void {
  writer.tag(field, WireType.LengthDelimited).fork();
  write();
  writer.join();
}

/** `tensorflow.Event` with a `summary`, whose values `write` adds by `nest`, as fields 1. */
function encodeSummary({ step, seconds }: EventTime, write: (writer: Writer) => void): Uint8Array {
  const writer = new BinaryWriter();
  writer.tag(1, WireType.Bit64).double(seconds);
  writer.tag(2, WireType.Varint).int64(step);
  nest(writer, 5, () => {
    write(writer);
  });
  return writer.finish();
}

/** Values `tag` and `simple_value`. */
function encodeScalars(event: ScalarEvent): Uint8Array {
  return encodeSummary(event, (writer) => {
    for (const [tag, value] of event.scalars) {
      nest(writer, 1, () => {
        writer.tag(1, WireType.LengthDelimited).string(tag);
        // Values beyond the range of float32, which the writer refuses, become infinite.
        writer.tag(2, WireType.Bit32).float(Math.fround(value));
      });
    }
  });
}

/** A value `tag` and `image`. */
function encodeImage(event: ImageEvent): Uint8Array {
  const { tag, png, width, height } = event;
  return encodeSummary(event, (writer) => {
    nest(writer, 1, () => {
      writer.tag(1, WireType.LengthDelimited).string(tag);
      nest(writer, 4, () => {
        writer.tag(1, WireType.Varint).int32(height);
        writer.tag(2, WireType.Varint).int32(width);
        writer.tag(3, WireType.Varint).int32(RGB);
        writer.tag(4, WireType.LengthDelimited).bytes(png);
      });
    });
  });
}

/** `google.protobuf.Value`. */
function writeValue(writer: Writer, value: Hyperparameter): void {
  if (typeof value === 'number') writer.tag(2, WireType.Bit64).double(value);
  else if (typeof value === 'string') writer.tag(3, WireType.LengthDelimited).string(value);
  else writer.tag(4, WireType.Varint).bool(value);
}

/** The tensor that the plugin expects in each of its values: one zero, float32. */
function writeNullTensor(writer: Writer): void {
  writer.tag(1, WireType.Varint).int32(1);
  nest(writer, 2, () => {
    nest(writer, 2, () => {
      writer.tag(1, WireType.Varint).int64(1);
    });
  });
  writer.tag(5, WireType.Bit32).float(0);
}

/** A value of the plugin, `HParamsPluginData` with one field. */
function writePluginValue(writer: Writer, tag: string, [field, write]: readonly [number, () => void]): void {
  nest(writer, 1, () => {
    writer.tag(1, WireType.LengthDelimited).string(`_hparams_/${tag}`);
    nest(writer, 8, () => {
      writeNullTensor(writer);
    });
    nest(writer, 9, () => {
      nest(writer, 1, () => {
        writer.tag(1, WireType.LengthDelimited).string('hparams');
        nest(writer, 2, () => {
          nest(writer, field, write);
        });
      });
    });
  });
}

/** The experiment with its metrics, and the session with its hyper-parameters. */
function encodeHyperparameters(event: HyperparametersEvent): Uint8Array {
  const { seconds, values, metrics } = event;
  return encodeSummary(event, (writer) => {
    const writeExperiment = (): void => {
      writer.tag(3, WireType.Bit64).double(seconds);
      for (const name of values.keys()) {
        nest(writer, 4, () => {
          writer.tag(1, WireType.LengthDelimited).string(name);
        });
      }
      for (const tag of metrics) {
        nest(writer, 5, () => {
          nest(writer, 1, () => {
            writer.tag(2, WireType.LengthDelimited).string(tag);
          });
        });
      }
    };
    const writeSession = (): void => {
      for (const [name, value] of values) {
        nest(writer, 1, () => {
          writer.tag(1, WireType.LengthDelimited).string(name);
          nest(writer, 2, () => {
            writeValue(writer, value);
          });
        });
      }
      writer.tag(5, WireType.Bit64).double(seconds);
    };
    writePluginValue(writer, 'experiment', [2, writeExperiment]);
    writePluginValue(writer, 'session_start_info', [3, writeSession]);
  });
}

function encodeEvent(event: BoardEvent): Uint8Array {
  if ('scalars' in event) return encodeScalars(event);
  return 'png' in event ? encodeImage(event) : encodeHyperparameters(event);
}

/**
 * Encodes a TensorBoard event file. The bytes for fewer events are a prefix of those for more, so a file can grow.
 *
 * @see tensorboard/compat/proto/event.proto, summary.proto and plugins/hparams/plugin_data.proto for the messages and
 *   the numbers of their fields.
 */
export function encodeEventFile(events: readonly BoardEvent[]): Uint8Array {
  const messages = [encodeVersion(events[0]?.seconds ?? 0), ...events.map(encodeEvent)];
  return Buffer.concat(messages.map(encodeRecord));
}
