import { parseJsonText } from '../../env/text/json-text.js';
import { TrainingError } from '../../training/training-error.js';
import { createUser, fromSeed } from '../../training/workers/pool/wire/nats-library.js';
import type { PoolMember } from '../../training/workers/pool/wire/pool-connection.js';
import { BROWSER_URL, TicketFile } from '../../training/workers/pool/wire/ticket-file.js';

/** The member whose credentials a file has. @throws TrainingError `pool-ticket`. */
function memberOf(text: string): PoolMember {
  let file: TicketFile | undefined;
  try {
    file = TicketFile.safeParse(parseJsonText(text)).data;
  } catch {
    file = undefined;
  }
  if (file === undefined)
    throw new TrainingError('pool-ticket', 'expected a file worker-N.json of gess pool init');
  const { browserUrl, seed } = file;
  if (browserUrl === undefined) {
    throw new TrainingError(
      'pool-ticket',
      'expected credentials of a pool for browsers: gess pool init --web-port',
    );
  }
  try {
    return { url: browserUrl, key: fromSeed(new TextEncoder().encode(seed)), isKnown: true };
  } catch (cause) {
    throw new TrainingError('pool-ticket', 'expected a key in the file: its checksum is wrong', { cause });
  }
}

/**
 * The member of a pool that this browser is.
 *
 * @param ticket content of a file with credentials; null: `url` is of a server that lets everyone in, and the key is
 *   made up.
 * @throws TrainingError `pool-ticket`.
 */
export function browserMember(ticket: string | null, url: string): PoolMember {
  if (ticket !== null) return memberOf(ticket);
  if (BROWSER_URL.test(url)) return { url, key: createUser(), isKnown: false };
  throw new TrainingError(
    'pool-ticket',
    'expected the address of a pool, as wss://HOST:PORT, or a file with credentials',
  );
}
