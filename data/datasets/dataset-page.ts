import { markdownTable } from '../../env/text/markdown-table.js';
import type { DatasetCard } from './dataset-card.js';

function results({ won, drawn, lost, none }: DatasetCard['gameResults']): string {
  return `${won} won by the first player, ${drawn} drawn, ${lost} lost, ${none} without a result`;
}

function provenance({ madeBy }: DatasetCard): readonly string[] {
  if (madeBy === null) return ['Its games were played by gess-zero.'];
  return [
    `Made by \`gess data ${madeBy.operation}\` with \`${JSON.stringify(madeBy.options)}\` of`,
    '',
    ...madeBy.sources.map(({ name, rows, sha256 }) => `- ${name}: ${rows} rows, SHA-256 \`${sha256}\``),
  ];
}

/** The page of a dataset in Markdown: content, author, provenance and how to read it. */
export function cardPage(card: DatasetCard, name: string): string {
  const { words } = card;
  const rows: readonly (readonly [string, string | undefined])[] = [
    [
      'game',
      `${card.game}, rules ${card.rules} (version ${card.rulesVersion}), encoding version ${card.encodingVersion}`,
    ],
    ['rows', `${card.rows} in ${card.shards} shards, ${(card.bytes / 1e6).toFixed(2)} MB`],
    ['games', `${card.games}: ${results(card.gameResults)}`],
    ['generations', card.generations.join(', ')],
    ['algorithm', words.algorithmName],
    ['author', words.author],
    ['e-mail', words.authorEmail],
    ['code', words.codePermalink],
    ['licence', words.license ?? 'not stated'],
    ['written by', `gess-zero ${card.softwareVersion}; games by ${card.playedBy.join(', ')}`],
  ];
  return [
    `# ${words.datasetId ?? name}`,
    '',
    ...(words.description === undefined ? [] : [words.description, '']),
    markdownTable(
      ['', ''],
      rows.flatMap(([key, text]) => (text === undefined ? [] : [[key, text]])),
    ),
    '',
    '## How it was made',
    '',
    ...provenance(card),
    '',
    '## How to read it',
    '',
    'Each `.arrow` file is an Arrow IPC file with a row for each position; the columns are described in `docs/reference/formats.md` of gess-zero.',
    '',
    '```python',
    'import pyarrow.ipc',
    'rows = pyarrow.ipc.open_file("shard-000000.arrow").read_all()',
    '```',
    '',
  ].join('\n');
}
