import { DataError } from '../data-error.js';
import { type ArrowBatch, readColumns } from './arrow-batch.js';
import { type ArrowField, readSchema } from './arrow-schema.js';
import { countAt, FlatTable } from './flatbuffer.js';
import { errorText } from '../../env/text/error-text.js';

/** The error of a file that is not of the expected form. */
export type FormatCode = 'shard-format' | 'episode-format';

/** An opened file. */
export interface ArrowFile {
  readonly fields: readonly ArrowField[];
  readonly metadata: ReadonlyMap<string, string>;
  /**
   * Reads the rows.
   *
   * @throws DataError with the code of `openArrow`.
   */
  readBatch(): ArrowBatch;
}

const MAGIC = 'ARROW1';
/** Length of the footer, and the magic. */
const TAIL = 4 + MAGIC.length;
/** The magic, padded; then messages begin. */
const HEAD = 8;
/** The mark and the length before a message. */
const PREFIX = 8;
const CONTINUATION = -1;
/** After the last message: the mark and a length of 0. */
const END_OF_STREAM = Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
const VERSION_5 = 4;
const RECORD_BATCH = 3;

/** Fields of Arrow's tables, by index, and sizes of its structs. */
const FOOTER = { schema: 1, dictionaries: 2, batches: 3 };
const BLOCK = { size: 24, metadataBytes: 8, bodyBytes: 16 };
const MESSAGE = { version: 0, kind: 1, header: 2, bodyBytes: 3 };

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The part of a file's bytes from `start` to `end`. */
function part(bytes: Uint8Array, start: number, end: number): Uint8Array {
  if (start > end || end > bytes.length) throw new RangeError(`bytes ${start} to ${end} of ${bytes.length}`);
  return bytes.subarray(start, end);
}

/** The place of the only record batch in the file. */
interface Block {
  readonly start: number;
  readonly metadataBytes: number;
  readonly bodyBytes: number;
}

function onlyBlock(footer: DataView, table: FlatTable): Block {
  const dictionaries = table.vector(FOOTER.dictionaries, BLOCK.size).count;
  if (dictionaries > 0) throw new RangeError(`${dictionaries} dictionaries`);
  const { start: at, count } = table.vector(FOOTER.batches, BLOCK.size);
  if (count !== 1) throw new RangeError(`${count} record batches where one is expected`);
  return {
    start: countAt(footer, at),
    metadataBytes: footer.getInt32(at + BLOCK.metadataBytes, true),
    bodyBytes: countAt(footer, at + BLOCK.bodyBytes),
  };
}

/** Whether a message at `start` is the first one after the schema, which some writers repeat there. */
function isFirst(messages: Uint8Array, start: number): boolean {
  if (start === HEAD) return true;
  const view = viewOf(messages);
  return (
    view.getInt32(HEAD, true) === CONTINUATION && start === HEAD + PREFIX + view.getInt32(HEAD + 4, true)
  );
}

/** @param messages the file's bytes before the footer. */
function readOnlyBatch(messages: Uint8Array, block: Block, fields: readonly ArrowField[]): ArrowBatch {
  const { start, metadataBytes, bodyBytes } = block;
  const bodyStart = start + metadataBytes;
  const bodyEnd = bodyStart + bodyBytes;
  if (!isFirst(messages, start) || metadataBytes < PREFIX) throw new RangeError(`a record batch at ${start}`);
  const prefix = viewOf(part(messages, start, start + PREFIX));
  const announced = prefix.getInt32(4, true);
  if (prefix.getInt32(0, true) !== CONTINUATION || announced !== metadataBytes - PREFIX) {
    throw new RangeError(`no message at ${start}`);
  }
  const view = viewOf(part(messages, start + PREFIX, bodyStart));
  const message = FlatTable.root(view);
  const [version, kind] = [message.int16(MESSAGE.version), message.uint8(MESSAGE.kind)];
  if (version !== VERSION_5 || kind !== RECORD_BATCH || message.count(MESSAGE.bodyBytes) !== bodyBytes) {
    throw new RangeError(`no record batch at ${start}`);
  }
  const batch = message.expectTable(MESSAGE.header);
  const rest = part(messages, bodyEnd, messages.length);
  if (rest.length > 0 && !END_OF_STREAM.equals(rest)) throw new RangeError(`bytes after ${bodyEnd}`);
  return readColumns(view, batch, part(messages, bodyStart, bodyEnd), fields);
}

function hasMagic(bytes: Uint8Array): boolean {
  const [head, tail] = [Buffer.from(bytes.subarray(0, HEAD)), Buffer.from(bytes.subarray(-MAGIC.length))];
  return head.toString('latin1') === `${MAGIC}\0\0` && tail.toString('latin1') === MAGIC;
}

/**
 * Opens an untrusted Arrow IPC file: uncompressed, with one record batch of numbers, byte strings, texts, and lists of
 * numbers, as this program writes them. apache-arrow's own reader trusts the file: some altered headers keep it busy
 * forever. This one reads nothing outside of the file and allocates no more memory than the file takes.
 *
 * @param file its bytes, kept: columns are views of them.
 * @param path for messages.
 * @throws DataError `code` if it is not such a file.
 * @see https://arrow.apache.org/docs/format/Columnar.html#ipc-file-format
 */
export function openArrow(path: string, file: Uint8Array, code: FormatCode): ArrowFile {
  // Slices of a `Buffer` would be views, not copies.
  const bytes = new Uint8Array(file.buffer, file.byteOffset, file.byteLength);
  const attempt = <Found>(read: () => Found): Found => {
    try {
      return read();
    } catch (cause) {
      const message = errorText(cause);
      const reason = message.includes('DataView') ? 'an offset outside of its buffer' : message;
      throw new DataError(code, `expected an Arrow IPC file in ${path}: ${reason}`, { cause });
    }
  };
  const { footer, messages } = attempt(() => {
    if (bytes.length < HEAD + TAIL || !hasMagic(bytes)) throw new RangeError(`no ${MAGIC} at its ends`);
    const end = bytes.length - TAIL;
    const start = end - viewOf(bytes).getInt32(end, true);
    if (start < HEAD) throw new RangeError(`a footer at ${start}`);
    return { footer: viewOf(part(bytes, start, end)), messages: bytes.subarray(0, start) };
  });
  return attempt(() => {
    const table = FlatTable.root(footer);
    const { fields, metadata } = readSchema(table.expectTable(FOOTER.schema), footer.byteLength);
    const readBatch = (): ArrowBatch =>
      attempt(() => readOnlyBatch(messages, onlyBlock(footer, table), fields));
    return { fields, metadata, readBatch };
  });
}
