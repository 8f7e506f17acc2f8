/** A mask as words of four elements; empty if the mask is not aligned in memory. */
function wordsOf(mask: Uint8Array): Int32Array {
  const count = mask.byteOffset % 4 === 0 ? mask.length >> 2 : 0;
  return new Int32Array(mask.buffer, count === 0 ? 0 : mask.byteOffset, count);
}

/** The number of ones among four elements, each 0 or 1. */
function countWord(word: number): number {
  return Math.imul(word, 0x01010101) >>> 24;
}

/** The index of the first element that is neither 0 nor 1; -1 if there is none. */
export function findOutside(mask: Uint8Array): number {
  return mask.findIndex((element) => element > 1);
}

/**
 * The number of ones; -1 if an element is neither 0 nor 1. Masks of many actions are mostly 0, so it reads
 * four elements at once.
 */
export function countOnes(mask: Uint8Array): number {
  const words = wordsOf(mask);
  let count = 0;
  let outside = 0;
  // for-of takes three times as long here.
  // eslint-disable-next-line @typescript-eslint/prefer-for-of
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    if (word === 0) continue;
    outside |= word & 0xfefefefe;
    count += countWord(word);
  }
  for (let index = words.length << 2; index < mask.length; index++) {
    const element = mask[index]!;
    outside |= element & 0xfe;
    count += element;
  }
  return outside === 0 ? count : -1;
}

/** The index of the 1 after `skipped` others. The mask must have that many. */
export function indexOfOne(mask: Uint8Array, skipped: number): number {
  const words = wordsOf(mask);
  let left = skipped;
  let index = 0;
  for (; index < words.length; index++) {
    const ones = countWord(words[index]!);
    if (ones > left) break;
    left -= ones;
  }
  for (index <<= 2; mask[index] !== 1 || left > 0; index++) left -= mask[index]!;
  return index;
}
