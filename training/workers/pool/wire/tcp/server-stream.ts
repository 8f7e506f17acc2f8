import * as z from 'zod';
import { errorText } from '../../../../../env/text/error-text.js';
import { parseJsonText } from '../../../../../env/text/json-text.js';
import { ConnectionError } from '../nats-library.js';
import { Kind, Parser, type ParserEvent, State } from './nats-node-library.js';

/** Most bytes from the end of a message to the end of the next one. Those of a pool have at most 1 MiB. */
const MAX_MESSAGE = 8 * 1024 * 1024;

/** Longest line of a server, in bytes; the first one is its description of itself. */
export const MAX_LINE = 32 * 1024;

/** The part of a server's description of itself that the library reads. */
const ServerInfo = z.looseObject({
  version: z.string().regex(/\d+\.\d+\.\d+/),
  nonce: z.string().optional(),
  connect_urls: z.array(z.string()).optional(),
});

/** @throws ConnectionError for a description with which the library would fail. */
export function expectServerInfo(info: unknown): void {
  if (!ServerInfo.safeParse(info).success) {
    throw new ConnectionError('expected the description of a NATS server, found another one');
  }
}

/** @throws ConnectionError, SyntaxError and others for a description that the library cannot read. */
function expectReadable(event: ParserEvent): void {
  if (event.kind === Kind.INFO) expectServerInfo(parseJsonText(new TextDecoder().decode(event.data)));
}

/** Reads what a server sends as the library will read it, to find errors first. */
export class ServerStream {
  /** Bytes since the end of the last message. */
  private bytes = 0;
  private readonly parser = new Parser({
    push: (event) => {
      expectReadable(event as ParserEvent);
      this.bytes = 0;
    },
  });

  /**
   * Checks the next bytes.
   *
   * @throws ConnectionError if they do not follow the protocol, or if a line or a message is too long.
   */
  check(bytes: Uint8Array): void {
    this.bytes += bytes.length;
    try {
      this.parser.parse(bytes);
    } catch (cause) {
      throw new ConnectionError(`expected the protocol of NATS: ${errorText(cause)}`, { cause });
    }
    // The parser takes a line byte by byte, but a message in large parts.
    const isMessage = this.parser.state === State.MSG_PAYLOAD || this.parser.state === State.MSG_END;
    const limit = isMessage ? MAX_MESSAGE : MAX_LINE;
    if (this.bytes <= limit) return;
    throw new ConnectionError(`expected a ${isMessage ? 'message' : 'line'} of at most ${limit} bytes`);
  }
}
