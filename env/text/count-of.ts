/** A number with its noun: `1 move`, `2 moves`, `2 plies`, `2 processes`, `2 matches`. */
export function countOf(number: number, noun: string): string {
  if (number === 1) return `1 ${noun}`;
  if (/[^aeiou]y$/.test(noun)) return `${number} ${noun.slice(0, -1)}ies`;
  return `${number} ${noun}${/(s|ch)$/.test(noun) ? 'es' : 's'}`;
}
