/** The 95 % interval of a figure by its values in the samples of a bootstrap. */
export function bootstrapInterval(values: readonly number[]): Readonly<Record<'low' | 'high', number>> {
  const sorted = values.toSorted((a, b) => a - b);
  const outer = Math.round(sorted.length * 0.025);
  return { low: sorted[outer]!, high: sorted.at(-1 - outer)! };
}
