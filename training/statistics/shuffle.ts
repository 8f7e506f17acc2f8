import type { Rng } from '../../env/random.js';

/** Puts the elements into random order (Fisher and Yates); takes one number less from the stream than there are. */
export function shuffle(order: Int32Array | Uint32Array, rng: Rng): void {
  for (let last = order.length - 1; last > 0; last--) {
    const other = rng.integer(last + 1);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
}
