import { expect, test } from 'vitest';
import { isNullable, SHARD_COLUMNS } from '../../../data/shards/column-table.js';
import { tableOfFormats } from '../documented-table.js';

test('docs/reference/formats.md has the columns of shards as the code has them', () => {
  const rows = SHARD_COLUMNS.map((column) => {
    const type = `\`${column.type}\`${isNullable(column) ? ', may be null' : ''}`;
    return [`\`${column.name}\``, type, column.text];
  });
  expect(tableOfFormats('## Shards')).toEqual(rows);
});

test('no two columns have the same name or key', () => {
  for (const field of ['name', 'key'] as const) {
    expect(new Set(SHARD_COLUMNS.map((column) => column[field])).size).toBe(SHARD_COLUMNS.length);
  }
});
