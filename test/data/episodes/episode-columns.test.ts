import { expect, test } from 'vitest';
import { LIST_COLUMNS, OBSERVATIONS, VALUE_COLUMNS } from '../../../data/episodes/episode-columns.js';
import { listTypeName } from '../../../data/files/arrow-types.js';
import { tableOfFormats } from '../documented-table.js';

test('docs/reference/formats.md has the columns of episodes as the code has them', () => {
  const documented = tableOfFormats('## Episodes').flatMap(([names, type]) =>
    Array.from(names!.matchAll(/`([^`]+)`/g), ([, name]) => [name!, type!]),
  );
  const columns = [
    ...VALUE_COLUMNS.map(({ name, type, isNullable }) => [
      name,
      `\`${type}\`${isNullable ? ', may be null' : ''}`,
    ]),
    ...LIST_COLUMNS.map(({ name, items }) => [name, `\`${listTypeName(items)}\``]),
    [`${OBSERVATIONS}.NAME`, '`List` of their numbers'],
    [OBSERVATIONS, '`List` of their numbers'],
  ];
  expect(documented).toEqual(columns);
});
