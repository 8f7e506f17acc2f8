/** Cuts a text to a number of columns, with an ellipsis. */
export function cutText(text: string, columns: number): string {
  return text.length <= columns ? text : `${text.slice(0, Math.max(0, columns - 1))}…`;
}

/** A line for each name and value, with the values aligned in a column. */
export function alignPairs(pairs: readonly (readonly [string, string])[]): string {
  const width = Math.max(...pairs.map(([name]) => name.length)) + 2;
  return pairs.map(([name, value]) => `${name.padEnd(width)}${value}`.trimEnd()).join('\n');
}

/**
 * Lines of columns as wide as their widest cell.
 *
 * @param gap number of spaces between columns.
 * @param leftColumns how many columns, from the first, are aligned to the left; the others, numbers, to the right.
 */
export function alignTable(
  rows: readonly (readonly string[])[],
  { gap = 2, leftColumns = 1 }: { readonly gap?: number; readonly leftColumns?: number } = {},
): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const cell = (text: string, column: number): string =>
    column < leftColumns ? text.padEnd(widths[column]!) : text.padStart(widths[column]!);
  return rows.map((row) => row.map(cell).join(' '.repeat(gap)).trimEnd()).join('\n');
}
