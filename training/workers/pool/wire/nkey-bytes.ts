const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The bytes of a key or a seed of nkeys, in base32: its kind, 32 bytes, and a checksum of two. */
export function bytesOfNkey(text: string): Buffer {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const character of text) {
    bits = (bits << 5) | ALPHABET.indexOf(character);
    held += 5;
    if (held < 8) continue;
    held -= 8;
    bytes.push((bits >> held) & 0xff);
    bits &= (1 << held) - 1;
  }
  return Buffer.from(bytes);
}
