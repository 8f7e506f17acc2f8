/** A cell: on one line, with `|` escaped. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}

/** Number of characters of a text. */
function widthOf(text: string): number {
  return Array.from(text).length;
}

/** A table in Markdown, its columns aligned, without a newline at its end. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [header, ...rows].map((row) => row.map(cell));
  const widths = header.map((_, column) => Math.max(3, ...cells.map((row) => widthOf(row[column]!))));
  const line = (row: readonly string[], fill: string): string =>
    `| ${row.map((text, column) => text + fill.repeat(widths[column]! - widthOf(text))).join(' | ')} |`;
  const rule = line(
    header.map(() => ''),
    '-',
  );
  return [line(cells[0]!, ' '), rule, ...cells.slice(1).map((row) => line(row, ' '))].join('\n');
}
