/** A cell: on one line, with `|` escaped. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}

/** A table in Markdown, without padding and without a newline at its end. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `|${cells.map((text) => (text === '' ? ' ' : ` ${cell(text)} `)).join('|')}|`;
  return [header, header.map(() => '---'), ...rows].map(line).join('\n');
}
