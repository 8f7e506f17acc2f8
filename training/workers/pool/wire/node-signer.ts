import { createPrivateKey, sign } from 'node:crypto';
import type { KeyPair } from './nats-library.js';
import { bytesOfNkey } from './nkey-bytes.js';
import type { Signer } from './signed-message.js';

/** DER prefix of an Ed25519 private key, before its 32 bytes. */
const DER_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Signs with Node's own Ed25519, a hundred times faster than the library of nkeys. */
export function nodeSigner(key: KeyPair): Signer {
  // The kind of a seed has two bytes.
  const raw = bytesOfNkey(new TextDecoder().decode(key.getSeed())).subarray(2, 34);
  const own = createPrivateKey({ key: Buffer.concat([DER_PREFIX, raw]), format: 'der', type: 'pkcs8' });
  return { sign: (bytes) => sign(null, bytes, own) };
}
