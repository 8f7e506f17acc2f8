/** A share as a percentage: `12.5 %`. */
export function formatPercent(share: number, decimals = 1): string {
  return `${(100 * share).toFixed(decimals)} %`;
}

/** A part of a whole as a percentage; `-` of nothing. */
export function formatPart(part: number, whole: number): string {
  return whole === 0 ? '-' : formatPercent(part / whole);
}
