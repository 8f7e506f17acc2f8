/** Number of bits set in a word of 20 bits. */
export function countBits(word: number): number {
  let bits = word - ((word >> 1) & 0x55555);
  bits = (bits & 0x33333) + ((bits >> 2) & 0x33333);
  bits = (bits + (bits >> 4)) & 0x0f0f0f;
  return (bits + (bits >> 8) + (bits >> 16)) & 0x1f;
}

/** Bits set in three words of 20 bits, as partial sums in fields of eight bits; `addFields` adds them up. */
export function fieldSums(a: number, b: number, c: number): number {
  // A full adder: `one` has weight 1 and `two` weight 2.
  const difference = a ^ b;
  let one = difference ^ c;
  let two = (a & b) | (difference & c);
  one -= (one >> 1) & 0x55555;
  two -= (two >> 1) & 0x55555;
  one = (one & 0x33333) + ((one >> 2) & 0x33333) + 2 * ((two & 0x33333) + ((two >> 2) & 0x33333));
  return (one & 0x0f0f0f) + ((one >> 4) & 0x0f0f0f);
}

/** The sum of three fields of eight bits. */
export function addFields(fields: number): number {
  return (fields & 0xff) + ((fields >> 8) & 0xff) + (fields >> 16);
}
