/** Words that are skipped at once if all their elements are 0. */
const BLOCK_WORDS = 8;

/** A mask as words of four elements; empty if the mask is not aligned in memory. */
function wordsOf(mask: Uint8Array): Int32Array {
  const count = mask.byteOffset % 4 === 0 ? mask.length >> 2 : 0;
  return new Int32Array(mask.buffer, count === 0 ? 0 : mask.byteOffset, count);
}

/** The sum of the bytes of a word; at most 255. */
function sumOfBytes(word: number): number {
  return Math.imul(word, 0x01010101) >>> 24;
}

/** The index of the first element that is neither 0 nor 1; -1 if there is none. */
export function findOutside(mask: Uint8Array): number {
  return mask.findIndex((element) => element > 1);
}

/**
 * The number of ones; -1 if an element is neither 0 nor 1. Masks of many actions are mostly 0, so it reads 32 elements
 * at once.
 */
export function countOnes(mask: Uint8Array): number {
  const words = wordsOf(mask);
  const end = words.length & -BLOCK_WORDS;
  let count = 0;
  let seen = 0;
  let index = 0;
  for (; index < end; index += BLOCK_WORDS) {
    // Written out, with each word read once: loops, and functions that read words again, take up to 1.5 times as long.
    const a = words[index]!;
    const b = words[index + 1]!;
    const c = words[index + 2]!;
    const d = words[index + 3]!;
    const e = words[index + 4]!;
    const f = words[index + 5]!;
    const g = words[index + 6]!;
    const h = words[index + 7]!;
    const block = a | b | c | d | e | f | g | h;
    if (block === 0) continue;
    seen |= block;
    count += sumOfBytes(a + b + c + d + e + f + g + h);
  }
  for (index <<= 2; index < mask.length; index++) {
    const element = mask[index]!;
    seen |= element;
    count += element;
  }
  return (seen & 0xfefefefe) === 0 ? count : -1;
}

/** The index of the 1 after `skipped` others. The mask must have that many. */
export function indexOfOne(mask: Uint8Array, skipped: number): number {
  const words = wordsOf(mask);
  const end = words.length & -BLOCK_WORDS;
  let left = skipped;
  let index = 0;
  for (; index < end; index += BLOCK_WORDS) {
    const ones = sumOfBytes(
      words[index]! +
        words[index + 1]! +
        words[index + 2]! +
        words[index + 3]! +
        words[index + 4]! +
        words[index + 5]! +
        words[index + 6]! +
        words[index + 7]!,
    );
    if (ones > left) break;
    left -= ones;
  }
  for (index <<= 2; mask[index] !== 1 || left > 0; index++) left -= mask[index]!;
  return index;
}
