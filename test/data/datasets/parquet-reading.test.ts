import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import type { DataError } from '../../../data/data-error.js';
import { encodeParquet } from '../../../data/datasets/parquet-writing.js';
import { decodeParquet } from '../../../data/datasets/parquet-reading.js';
import { columnsOf } from '../../../data/shards/shard-columns.js';
import { encodeShard } from '../../../data/shards/shard-encoding.js';
import { formatShardMetadata } from '../../../data/shards/shard-metadata.js';
import { readShard } from '../../../data/shards/shard.js';
import { runGess, runGessJson } from '../../scripts/captured-output.js';
import { FIXTURE_SHARD } from '../fixture-shard.js';
import { asGames, sampleArbitrary, sampleGame, sampleMetadata } from '../sample-arbitrary.js';
import { temporaryFolder } from '../temporary-folder.js';

test('rows converted to Parquet and back make the same shard', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(sampleArbitrary, { minLength: 1, maxLength: 12 }).map(asGames),
      async (samples) => {
        const shard = { columns: columnsOf(samples, sampleGame.packedSize), metadata: sampleMetadata };
        const { columns, metadata } = await decodeParquet('a file', encodeParquet(shard));
        const [back, there] = [encodeShard(columns, metadata), encodeShard(shard.columns, sampleMetadata)];
        expect(Buffer.compare(back, there)).toBe(0);
      },
    ),
  );
});

test('a dataset is converted to Parquet and back, in whole and in part', async () => {
  const folder = temporaryFolder();
  const [parquet, back, some] = [join(folder, 'parquet'), join(folder, 'back'), join(folder, 'some')];
  const { rows } = (await runGessJson('data', 'convert', FIXTURE_SHARD, '--out', parquet)) as {
    rows: number;
  };
  expect(await runGessJson('data', 'convert', parquet, '--to', 'arrow', '--out', back)).toEqual({
    out: back,
    rows,
  });
  const [shard, before] = [await readShard(join(back, 'shard-000000.arrow')), await readShard(FIXTURE_SHARD)];
  expect(shard.metadata).toEqual(before.metadata);
  expect(encodeShard(shard.columns, shard.metadata)).toEqual(encodeShard(before.columns, before.metadata));
  await runGess('data', 'convert', parquet, '--to', 'arrow', '--out', some, '--where', 'gameId=640');
  expect(await runGessJson('inspect', some)).toMatchObject({ games: 1 });
  await runGess('data', 'verify', back, '--deep');
});

test('a game that two files hold is refused', async () => {
  const folder = temporaryFolder();
  const [parquet, out] = [join(folder, 'parquet'), join(folder, 'out')];
  await runGess('data', 'convert', FIXTURE_SHARD, '--out', parquet);
  await expect(
    runGess('data', 'convert', parquet, parquet, '--to', 'arrow', '--out', out),
  ).rejects.toMatchObject({ code: 'dataset-duplicate' });
  expect(existsSync(out)).toBe(false);
});

const aSample = fc.sample(sampleArbitrary, { numRuns: 1, seed: 1 });
const sound = encodeParquet({ columns: columnsOf(aSample, sampleGame.packedSize), metadata: sampleMetadata });
const texts = Array.from(formatShardMetadata(sampleMetadata), ([key, value]) => ({ key, value }));
const someColumns = [{ name: 'ply', data: [3], type: 'INT32' as const }];

test.each<[string, Uint8Array, string]>([
  ['a file that was cut', sound.slice(0, -9), 'expected a Parquet file in'],
  ['a file that is not Parquet', new Uint8Array(20), 'expected a Parquet file in'],
  [
    'a file without metadata',
    new Uint8Array(parquetWriteBuffer({ columnData: someColumns })),
    'shardVersion',
  ],
  [
    'a file without columns',
    new Uint8Array(parquetWriteBuffer({ columnData: someColumns, kvMetadata: texts })),
    'expected the columns of a shard in row 0',
  ],
])('%s is refused', async (_, content, reason) => {
  const path = join(temporaryFolder(), 'a.parquet');
  writeFileSync(path, content);
  const out = join(temporaryFolder(), 'new');
  const failure = await runGess('data', 'convert', path, '--to', 'arrow', '--out', out).then(
    () => null,
    (error: unknown) => error as DataError,
  );
  expect(failure).toMatchObject({ name: 'DataError', code: 'shard-format' });
  expect(failure?.message).toContain(reason);
  expect(failure?.message).toContain(path);
});
