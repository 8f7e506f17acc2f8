import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../python.js';

/** A section of docs/reference/formats.md from its heading on. */
function sectionOfFormats(heading: string): string {
  const page = readFileSync(join(root, 'docs', 'reference', 'formats.md'), 'utf8');
  const start = page.indexOf(`\n${heading}\n`) + 1;
  const end = page.indexOf('\n## ', start);
  return page.slice(start, end < 0 ? undefined : end);
}

/** The cells of the first table below a heading of docs/reference/formats.md, without its head. */
export function tableOfFormats(heading: string): string[][] {
  const [, table = ''] = /\n\n((?:\|.*\n)+)/.exec(sectionOfFormats(heading)) ?? [];
  const rows = table.trimEnd().split('\n').slice(2);
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
