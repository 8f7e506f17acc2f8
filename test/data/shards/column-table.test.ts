import { expect, test } from 'vitest';
import { isNullable, SHARD_COLUMNS } from '../../../data/shards/column-table.js';
import { COLUMN_TEXTS } from '../../../data/shards/column-texts.js';
import { tableOfFormats } from '../documented-table.js';

test('docs/reference/formats.md has the columns of shards as the code has them', () => {
  const rows = SHARD_COLUMNS.map((column) => {
    const type = `\`${column.type}\`${isNullable(column) ? ', may be null' : ''}`;
    return [`\`${column.name}\``, type, COLUMN_TEXTS[column.name]];
  });
  expect(tableOfFormats('## Shards')).toEqual(rows);
});

test('no two columns have the same name or key', () => {
  for (const field of ['name', 'key'] as const) {
    expect(new Set(SHARD_COLUMNS.map((column) => column[field])).size).toBe(SHARD_COLUMNS.length);
  }
});
