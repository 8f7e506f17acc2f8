import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { encodeParquet } from '../../../data/datasets/parquet-writing.js';
import { writeParquetDataset } from '../../../data/datasets/parquet-dataset.js';
import { ALL_ROWS } from '../../../data/datasets/row-filter.js';
import type { Sample } from '../../../data/shards/sample.js';
import { columnsOf } from '../../../data/shards/shard-columns.js';
import { formatShardMetadata } from '../../../data/shards/shard-metadata.js';
import { writeShard } from '../../../data/shards/shard.js';
import { shardName } from '../../../data/arrow-names.js';
import { verifyFiles } from '../../../data/verification.js';
import { asGames, sampleArbitrary, sampleGame, sampleMetadata } from '../sample-arbitrary.js';
import { temporaryFolder } from '../temporary-folder.js';

function toFile(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}

/** The row of Parquet expected for a sample: lists and bytes as plain numbers. */
function expectedRow(sample: Sample): Record<string, unknown> {
  const plain = (value: unknown): unknown =>
    ArrayBuffer.isView(value) ? Array.from(value as Uint8Array) : value;
  return Object.fromEntries(Object.entries(sample).map(([name, value]) => [name, plain(value)]));
}

function plainRow({ seed, generation, ...row }: Record<string, unknown>): Record<string, unknown> {
  expect([seed, generation]).toEqual([BigInt(sampleMetadata.seed), sampleMetadata.generation]);
  return expectedRow(row as unknown as Sample);
}

test('another reader reads every row and the metadata', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(sampleArbitrary, { minLength: 1, maxLength: 12 }).map(asGames),
      async (samples) => {
        const columns = columnsOf(samples, sampleGame.packedSize);
        const file = toFile(encodeParquet({ columns, metadata: sampleMetadata }));
        const rows = await parquetReadObjects({ file, utf8: false });
        expect(rows.map(plainRow)).toEqual(samples.map(expectedRow));
        const texts = parquetMetadata(file).key_value_metadata?.map(({ key, value }) => [key, value]);
        expect(new Map(texts as [string, string][])).toEqual(formatShardMetadata(sampleMetadata));
      },
    ),
  );
});

test('a dataset is converted to a folder of files with a manifest, whole or not at all', async () => {
  const source = temporaryFolder();
  const rows = fc.sample(sampleArbitrary, { numRuns: 40, seed: 1 });
  const samples = asGames(rows.map((sample, index) => ({ ...sample, gameId: index >> 2 })));
  for (const index of [0, 1]) {
    const columns = columnsOf(samples.slice(index * 20, index * 20 + 20), sampleGame.packedSize);
    await writeShard(join(source, shardName(index)), { columns, metadata: sampleMetadata });
  }
  const out = join(temporaryFolder(), 'parquet');
  const filter = { ...ALL_ROWS, where: ['gameId=5..'] };
  const request = { sources: [source], softwareVersion: '0.1.0', filter, out };
  expect(await writeParquetDataset(request)).toEqual({ files: 1, rows: 20 });
  expect(readdirSync(out).sort()).toEqual(['manifest.json', 'part-000000.parquet']);
  const file = toFile(readFileSync(join(out, 'part-000000.parquet')));
  expect((await parquetReadObjects({ file })).map((row) => row['gameId'] as number)).toEqual(
    samples.slice(20).map(({ gameId }) => gameId),
  );
  expect(await verifyFiles(out, { deep: false })).toMatchObject({ files: 2, problems: [], unchecked: [] });
  await expect(writeParquetDataset(request)).rejects.toMatchObject({ code: 'dataset-exists' });
  const none = { ...request, out: join(out, '..', 'none'), filter: { ...ALL_ROWS, where: ['gameId=99'] } };
  await expect(writeParquetDataset(none)).rejects.toMatchObject({ code: 'dataset-empty' });
  expect(readdirSync(join(out, '..'))).toEqual(['parquet']);
});
