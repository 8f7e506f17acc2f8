import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isNullable, SHARD_COLUMNS } from '../../../data/shards/column-table.js';
import { root } from '../../python.js';

/** The cells of the first table below a heading of docs/formats.md, without its head. */
function tableBelow(heading: string): string[][] {
  const page = readFileSync(join(root, 'docs', 'formats.md'), 'utf8');
  const section = page.slice(page.indexOf(`\n${heading}\n`));
  const [, table = ''] = /\n\n((?:\|.*\n)+)/.exec(section) ?? [];
  const rows = table.trimEnd().split('\n').slice(2);
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test('docs/formats.md has the columns of shards as the code has them', () => {
  const rows = SHARD_COLUMNS.map((column) => {
    const type = `\`${column.type}\`${isNullable(column) ? ', may be null' : ''}`;
    return [`\`${column.name}\``, type, column.text];
  });
  expect(tableBelow('## Shards')).toEqual(rows);
});

test('no two columns have the same name or key', () => {
  for (const field of ['name', 'key'] as const) {
    expect(new Set(SHARD_COLUMNS.map((column) => column[field])).size).toBe(SHARD_COLUMNS.length);
  }
});
