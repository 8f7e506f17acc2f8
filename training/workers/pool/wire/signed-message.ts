import { headers, type KeyPair } from './nats-library.js';

/** Signs bytes with a private key. */
export type Signer = Pick<KeyPair, 'sign'>;

/** Header with the signature, in base64. */
export const SIGNATURE = 'Gess-Signature';

/** The signed bytes: the subject is among them, so that a message cannot be sent elsewhere. */
export function signedBytes(subject: string, payload: string | Uint8Array): Uint8Array {
  const encoder = new TextEncoder();
  const head = encoder.encode(`${subject}\n`);
  const body = typeof payload === 'string' ? encoder.encode(payload) : payload;
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

/** Headers with the signature of a message, in Node and in browsers. */
export function sign(signer: Signer, subject: string, payload: string): ReturnType<typeof headers> {
  const signature = signer.sign(signedBytes(subject, payload));
  const header = headers();
  header.set(SIGNATURE, btoa(String.fromCharCode(...signature)));
  return header;
}
