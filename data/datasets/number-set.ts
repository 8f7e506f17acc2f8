/** Numbers of a block, a bit each. */
const BLOCK_BITS = 15;

/**
 * A set of whole numbers from 0 to 2^32 - 1 that costs a bit a number where they lie close together, as the ids of
 * games do: blocks of 32,768 numbers, 4 KiB each, made when first used.
 */
export class NumberSet {
  private readonly blocks = new Map<number, Uint32Array>();

  /** Adds `number`; returns whether it was not in the set. */
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
