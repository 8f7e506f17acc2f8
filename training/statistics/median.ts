/** The middle value, or the mean of both; NaN of none. */
export function median(values: Iterable<number>): number {
  const sorted = Array.from(values).sort((a, b) => a - b);
  const half = sorted.length / 2;
  const [low = NaN, high = NaN] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  return (low + high) / 2;
}
