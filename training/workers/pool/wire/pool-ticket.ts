import { type JsonForm, readJsonFile } from '../../../../data/files/json-file.js';
import { quote } from '../../../../env/text/quoted-text.js';
import { TrainingError } from '../../../training-error.js';
import { createUser, fromSeed } from './nats-library.js';
import type { PoolMember } from './pool-connection.js';
import { SERVER_URL, TicketFile } from './ticket-file.js';

const TICKET_FORM: JsonForm<TicketFile> = {
  schema: TicketFile,
  name: 'credentials of a pool',
  seal: null,
  version: {
    key: 'ticketVersion',
    newest: 1,
    error: (message) => new TrainingError('pool-ticket', message),
  },
  error: (message, cause) => new TrainingError('pool-ticket', message, { cause }),
};

/** The address of a pool, and the credentials for it. */
export interface PoolTicket extends PoolMember {
  /** Certificate that signed the server's, as PEM; null without TLS. */
  readonly ca: string | null;
}

/** Whether a text is a server's URL rather than the path of a file with credentials. */
function isUrl(text: string): boolean {
  return text.includes('://');
}

/**
 * Reads the value of `--pool`.
 *
 * @param text `nats://HOST:PORT` of a server that admits everyone, or the path of a file with credentials.
 * @throws TrainingError `pool-address` if it is neither, `pool-ticket`; DataError `file-unreadable`, `file-too-large`.
 */
export async function readTicket(text: string): Promise<PoolTicket> {
  if (isUrl(text)) {
    if (SERVER_URL.test(text) && URL.canParse(text))
      return { url: text, ca: null, key: createUser(), isKnown: false };
    throw new TrainingError('pool-address', `expected nats://HOST:PORT, got ${quote(text)}`);
  }
  const file = await readJsonFile(text, 'ticket', TICKET_FORM);
  if (file === null) {
    throw new TrainingError(
      'pool-address',
      `expected nats://HOST:PORT, or a file with credentials of gess pool init, at ${quote(text)}`,
    );
  }
  const { url, ca = null, seed } = file;
  try {
    return { url, ca, key: fromSeed(new TextEncoder().encode(seed)), isKnown: true };
  } catch (cause) {
    throw new TrainingError('pool-ticket', `expected a key in ${quote(text)}: its checksum is wrong`, {
      cause,
    });
  }
}
