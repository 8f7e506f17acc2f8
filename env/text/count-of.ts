/** A number with its noun: `1 move`, `2 moves`, `2 processes`, `2 matches`. */
export function countOf(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : /(s|ch)$/.test(noun) ? 'es' : 's'}`;
}
