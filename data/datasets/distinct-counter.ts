import { joinHash, mixBits } from '../../env/random.js';
import type { ShardColumns } from '../shards/shard-columns.js';

/** Hashes that are kept at most. */
const MOST_KEPT = 1 << 16;

/** 53 bits of a hash of `bytes`: two 32-bit hashes, of which the second gives the higher bits. */
function hashOf(bytes: Uint8Array): number {
  let [low, high] = [0, 0x9e3779b9];
  for (const byte of bytes) {
    low = mixBits(Math.imul(low, 5) + byte);
    high = mixBits(Math.imul(high, 9) + byte);
  }
  return joinHash(low, high);
}

/**
 * Counts distinct byte strings in bounded memory: exactly up to 65,536 of them, beyond that with an error of about
 * 0.5 %. It keeps a sample of the hashes, those divisible by a power of two, which doubles whenever there are too many.
 *
 * @see Gibbons 2001, "Distinct sampling for highly-accurate answers to distinct values queries and event reports".
 */
export class DistinctCounter {
  private kept = new Set<number>();
  private divisor = 1;

  add(bytes: Uint8Array): void {
    const hash = hashOf(bytes);
    if (hash % this.divisor !== 0) return;
    this.kept.add(hash);
    while (this.kept.size > MOST_KEPT) {
      this.divisor *= 2;
      this.kept = new Set([...this.kept].filter((each) => each % this.divisor === 0));
    }
  }

  get count(): number {
    return this.kept.size * this.divisor;
  }
}

/** Adds the positions of all rows. */
export function addPositions(counter: DistinctCounter, { positions, positionSize }: ShardColumns): void {
  for (let start = 0; start < positions.length; start += positionSize) {
    counter.add(positions.subarray(start, start + positionSize));
  }
}
