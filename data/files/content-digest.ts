/** The form of a SHA-256: lower-case hexadecimal digits. */
export const SHA256_DIGITS = /^[0-9a-f]{64}$/;

/** The parts one after the other; a single one is not copied. */
function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  // No shared memory reaches this: workers send copies.
  if (parts.length === 1) return parts[0] as Uint8Array<ArrayBuffer>;
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/**
 * SHA-256 of the parts one after the other, in lower-case hexadecimal digits. It runs in browsers too, where the page
 * comes by https or from this machine: elsewhere they have no `crypto.subtle`.
 */
export async function contentDigest(...parts: readonly Uint8Array[]): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', joined(parts));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
