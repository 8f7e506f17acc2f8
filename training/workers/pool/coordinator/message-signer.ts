import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { fromPublic, type Msg } from '../wire/nats-library.js';
import { bytesOfNkey } from '../wire/nkey-bytes.js';
import { PublicKey } from '../wire/public-key.js';
import { SIGNATURE, signedBytes } from '../wire/signed-message.js';
import { keyOf } from '../wire/pool-subjects.js';

/** DER prefix of an Ed25519 public key, before its 32 bytes. */
const DER_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Maximum number of key objects that are kept. */
const MOST_KEYS = 4096;
const known = new Map<string, KeyObject>();

/**
 * Node's key object of a public key, which verifies a hundred times faster than the library of nkeys; null if invalid.
 */
function keyObject(key: string): KeyObject | null {
  const found = known.get(key);
  if (found !== undefined) return found;
  if (!PublicKey.safeParse(key).success) return null;
  try {
    // Tests the checksum.
    fromPublic(key);
  } catch {
    return null;
  }
  const raw = bytesOfNkey(key).subarray(1, 33);
  const made = createPublicKey({ key: Buffer.concat([DER_PREFIX, raw]), format: 'der', type: 'spki' });
  if (known.size >= MOST_KEYS) known.clear();
  known.set(key, made);
  return made;
}

/** The parts of a message that are signed. */
export type SignedMessage = Pick<Msg, 'subject' | 'data'> & { readonly headers?: Msg['headers'] | undefined };

/**
 * The key that signed a message: the third token of its subject, if the signature verifies with it; else null. The
 * server lets every worker publish only on its own subjects, but can be made to deliver its own answers anywhere.
 */
export function signerOf({ subject, data, headers: header }: SignedMessage): string | null {
  const key = keyOf(subject);
  const signature = header?.get(SIGNATURE) ?? '';
  const object = keyObject(key);
  if (object === null || signature.length > 128) return null;
  const isSigned = verify(null, signedBytes(subject, data), object, Buffer.from(signature, 'base64'));
  return isSigned ? key : null;
}
