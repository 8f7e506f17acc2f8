/** Binary logarithm of the size of a block, in bits: one bit for each number. */
const BLOCK_BITS = 15;

/**
 * A set of integers from 0 to 2^32 - 1 that takes one bit per number if the numbers are dense, as the ids of games are:
 * blocks of 32,768 numbers, 4 KiB each, allocated on first use.
 */
export class NumberSet {
  private readonly blocks = new Map<number, Uint32Array>();

  /** Adds `number`; returns whether it is new. */
  add(number: number): boolean {
    const block = Math.floor(number / 2 ** BLOCK_BITS);
    let words = this.blocks.get(block);
    if (words === undefined) {
      words = new Uint32Array(2 ** (BLOCK_BITS - 5));
      this.blocks.set(block, words);
    }
    const bit = number % 2 ** BLOCK_BITS;
    const [word, mask] = [bit >>> 5, (1 << (bit & 31)) >>> 0];
    if ((words[word]! & mask) !== 0) return false;
    words[word]! |= mask;
    return true;
  }
}
