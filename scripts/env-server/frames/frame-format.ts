import { RequestError } from '../../line-protocol/json-requests.js';
import { MAX_LINE_BYTES } from '../../line-protocol/answered-lines.js';

/** Version of the frames; it changes whenever clients have to change. */
export const FRAMES_VERSION = 1;
/** Bytes of a frame's header: `u32` payload bytes, `u8` kind, three zeros, `u32` id; little-endian. */
export const HEADER_BYTES = 12;
/** Longest accepted payload in bytes, as for a line. */
export const MAX_PAYLOAD_BYTES = MAX_LINE_BYTES;

/** Kinds of frames that a client sends. */
export const REQUEST_KIND = { call: 1, step: 2, reset: 3, look: 4 } as const;
/** Kinds of frames that the server sends. */
export const ANSWER_KIND = { call: 1, batch: 2, error: 3 } as const;

/** A frame that a client sent. */
export interface InputFrame {
  readonly kind: number;
  /** The client's number for the request, which the answer repeats. */
  readonly id: number;
  /** Null for a frame that is malformed, too long or cut off; `fault` says why. */
  readonly payload: Buffer | null;
  readonly fault?: RequestError | undefined;
}

/**
 * Parses a header: the frame without its payload, and the length of the payload in bytes.
 *
 * @param header `[HEADER_BYTES]`
 */
export function readHeader(header: Buffer): { readonly frame: InputFrame; readonly length: number } {
  const length = header.readUInt32LE(0);
  const kind = header.readUInt8(4);
  const zeros = header.readUIntLE(5, 3);
  let fault: RequestError | undefined;
  if (length > MAX_PAYLOAD_BYTES) {
    const expected = `expected a frame of at most ${MAX_PAYLOAD_BYTES} bytes`;
    fault = new RequestError('request-size', `${expected}, got ${length}`);
  } else if (zeros !== 0) {
    const found = `0x${zeros.toString(16)}`;
    fault = new RequestError(
      'frame-syntax',
      `expected zeros in bytes 5 to 7 of a frame's header, got ${found}`,
    );
  }
  return { frame: { kind, id: header.readUInt32LE(8), payload: null, fault }, length };
}

/**
 * Makes room for a frame and writes its header.
 *
 * @param length of the payload in bytes. The caller writes the payload from `HEADER_BYTES` on: the buffer is not
 *   cleared.
 */
export function createFrame(kind: number, id: number, length: number): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + length);
  frame.writeUInt32LE(length, 0);
  frame.writeUInt32LE(kind, 4);
  frame.writeUInt32LE(id, 8);
  return frame;
}

/** A frame whose payload is a text. */
export function textFrame(kind: number, id: number, text: string): Buffer {
  const frame = createFrame(kind, id, Buffer.byteLength(text));
  frame.write(text, HEADER_BYTES);
  return frame;
}
