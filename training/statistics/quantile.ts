/**
 * The value below which a share of the values lies, interpolated between neighbours; NaN of none.
 *
 * @param share in [0, 1].
 */
export function quantile(values: Iterable<number>, share: number): number {
  const sorted = Array.from(values).sort((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const [low = NaN, high = low] = sorted.slice(below, below + 2);
  return low + (place - below) * (high - low);
}

/** NaN of no values. */
export function median(values: Iterable<number>): number {
  return quantile(values, 0.5);
}
