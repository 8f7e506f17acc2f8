// Needs Node: lines of a stream, of bounded length.
import { isUtf8 } from 'node:buffer';

/** Takes the place of a line that is too long, which is skipped and not stored. */
export const OVERLONG = Symbol('overlong');
/** Takes the place of a line that is not UTF-8. */
export const NOT_UTF8 = Symbol('not UTF-8');

/** A line without its line end, or the reason why it is missing. */
export type InputLine = string | typeof OVERLONG | typeof NOT_UTF8;

const LINE_END = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const FIRST_CAPACITY = 1024;

/** The bytes of an unfinished line. One buffer, because a stream may arrive byte by byte. */
class UnfinishedLine {
  private bytes = Buffer.alloc(FIRST_CAPACITY);
  private readonly maxBytes: number;
  /** Length of the line so far, bytes that were not stored included. */
  private size = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  get isEmpty(): boolean {
    return this.size === 0;
  }

  append(part: Uint8Array): void {
    const size = this.size + part.length;
    if (size <= this.maxBytes) {
      if (size > this.bytes.length) this.grow(size);
      this.bytes.set(part, this.size);
    }
    this.size = size;
  }

  /** Ends the line and empties this object. */
  take(): InputLine {
    const { size, maxBytes } = this;
    this.size = 0;
    if (size > maxBytes) {
      this.bytes = Buffer.alloc(FIRST_CAPACITY);
      return OVERLONG;
    }
    const end = this.bytes[size - 1] === CARRIAGE_RETURN && size > 0 ? size - 1 : size;
    const line = this.bytes.subarray(0, end);
    return isUtf8(line) ? line.toString('utf8') : NOT_UTF8;
  }

  private grow(size: number): void {
    const grown = Buffer.alloc(Math.min(this.maxBytes, Math.max(size, 2 * this.bytes.length)));
    grown.set(this.bytes.subarray(0, this.size));
    this.bytes = grown;
  }
}

/**
 * The lines of a UTF-8 stream without their line ends; the last line needs none. The stream is read no faster than the
 * lines are consumed.
 *
 * @param maxBytes a longer line yields `OVERLONG`, once.
 */
export async function* inputLines(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<InputLine> {
  const line = new UnfinishedLine(maxBytes);
  for await (const chunk of stream) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, from)) {
      line.append(chunk.subarray(from, end));
      from = end + 1;
      yield line.take();
    }
    line.append(chunk.subarray(from));
  }
  if (!line.isEmpty) yield line.take();
}
