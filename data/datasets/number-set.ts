/** Binary logarithm of the size of a block, in bits: one bit for each number. */
const BLOCK_BITS = 15;
/** Numbers of a block from which on it is a bitmap of 4 KiB: 32 bytes for each of them. */
const LEAST_IN_BITMAP = 128;

/** The numbers of a block from its first: a list of a few of them, or a bitmap. */
type Block = number[] | Uint32Array;

/** Adds a number to a bitmap; returns whether it is new. */
function addBit(words: Uint32Array, bit: number): boolean {
  const [word, mask] = [bit >>> 5, (1 << (bit & 31)) >>> 0];
  if ((words[word]! & mask) !== 0) return false;
  words[word]! |= mask;
  return true;
}

/**
 * A set of integers from 0 to 2^32 - 1 that takes one bit per number if the numbers are dense, as the ids of games are,
 * and at most about 100 bytes per number if they are not, as in a forged file.
 */
export class NumberSet {
  /** Blocks of 32,768 numbers. */
  private readonly blocks = new Map<number, Block>();

  /** Adds `number`; returns whether it is new. */
  add(number: number): boolean {
    const index = Math.floor(number / 2 ** BLOCK_BITS);
    const bit = number % 2 ** BLOCK_BITS;
    const block = this.blocks.get(index);
    if (block === undefined) {
      this.blocks.set(index, [bit]);
      return true;
    }
    if (!Array.isArray(block)) return addBit(block, bit);
    if (block.includes(bit)) return false;
    block.push(bit);
    if (block.length >= LEAST_IN_BITMAP) this.blocks.set(index, bitmapOf(block));
    return true;
  }
}

function bitmapOf(bits: readonly number[]): Uint32Array {
  const words = new Uint32Array(2 ** (BLOCK_BITS - 5));
  for (const bit of bits) addBit(words, bit);
  return words;
}
