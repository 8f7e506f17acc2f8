import { RequestError } from '../../line-protocol/json-requests.js';
import { HEADER_BYTES, type InputFrame, readHeader } from './frame-format.js';

const LINE_END = 0x0a;
const NOTHING = Buffer.alloc(0);

/**
 * A stream of bytes that is first read as lines, then as frames. While it is read as lines, a chunk ends at a line's
 * end, so the reader of a line consumes none of the bytes after it. Several loops may read the stream, one after
 * another.
 */
export class SharedChunks implements AsyncIterable<Uint8Array> {
  private readonly source: AsyncIterator<Uint8Array>;
  private readonly isFramed: () => boolean;
  private left: Uint8Array = NOTHING;

  /** @param isFramed whether the next bytes are frames. */
  constructor(source: AsyncIterable<Uint8Array>, isFramed: () => boolean) {
    this.source = source[Symbol.asyncIterator]();
    this.isFramed = isFramed;
  }

  /** Without `return`: a loop that ends early leaves the stream open. */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return { next: () => this.next() };
  }

  private async next(): Promise<IteratorResult<Uint8Array>> {
    if (this.left.length === 0) {
      const read = await this.source.next();
      if (read.done === true) return read;
      this.left = read.value;
    }
    const chunk = this.left;
    const lineEnd = this.isFramed() ? -1 : chunk.indexOf(LINE_END);
    const end = lineEnd === -1 ? chunk.length : lineEnd + 1;
    this.left = chunk.subarray(end);
    return { done: false, value: chunk.subarray(0, end) };
  }
}

/** Collects a given number of bytes from chunks, and stores no more than these. */
class Gathering {
  private bytes: Buffer;
  private filled = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafe(size);
  }

  get isFull(): boolean {
    return this.filled === this.bytes.length;
  }

  /** Takes missing bytes from a chunk; returns how many it took. */
  take(chunk: Uint8Array): number {
    const count = Math.min(chunk.length, this.bytes.length - this.filled);
    this.bytes.set(chunk.subarray(0, count), this.filled);
    this.filled += count;
    return count;
  }

  /** Returns the bytes, and begins to collect `size` new ones. */
  next(size: number): Buffer {
    const { bytes } = this;
    this.bytes = Buffer.allocUnsafe(size);
    this.filled = 0;
    return bytes;
  }
}

/**
 * The frames of a stream, read no faster than they are consumed. The payload of a frame with a fault is skipped and not
 * stored, so a forged length costs no memory. A stream that ends within a frame yields one with the fault
 * `frame-syntax`.
 */
// eslint-disable-next-line complexity -- one state machine: skipping, header, payload.
export async function* inputFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<InputFrame> {
  const gathering = new Gathering(HEADER_BYTES);
  let begun: InputFrame | null = null;
  let skip = 0;
  let isEmpty = true;
  for await (let chunk of chunks) {
    while (chunk.length > 0) {
      if (skip > 0) {
        const skipped = Math.min(skip, chunk.length);
        skip -= skipped;
        chunk = chunk.subarray(skipped);
        continue;
      }
      chunk = chunk.subarray(gathering.take(chunk));
      isEmpty = false;
      if (!gathering.isFull) continue;
      if (begun === null) {
        const { frame, length } = readHeader(gathering.next(0));
        const isSound = frame.fault === undefined;
        skip = isSound ? 0 : length;
        begun = isSound && length > 0 ? frame : null;
        if (begun === null) yield isSound ? { ...frame, payload: NOTHING } : frame;
        gathering.next(begun === null ? HEADER_BYTES : length);
      } else {
        yield { ...begun, payload: gathering.next(HEADER_BYTES) };
        begun = null;
      }
      isEmpty = begun === null;
    }
  }
  if (isEmpty) return;
  const fault = new RequestError('frame-syntax', 'expected the rest of a frame, found the end of the stream');
  yield { kind: begun?.kind ?? 0, id: begun?.id ?? 0, payload: null, fault };
}
