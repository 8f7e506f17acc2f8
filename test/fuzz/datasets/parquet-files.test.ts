import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DataError } from '../../../data/data-error.js';
import { encodeParquet } from '../../../data/datasets/parquet-writing.js';
import { readParquetDataset, writeParquetDataset } from '../../../data/datasets/parquet-dataset.js';
import { decodeParquet } from '../../../data/datasets/parquet-reading.js';
import { ALL_ROWS } from '../../../data/datasets/row-filter.js';
import { columnsOf } from '../../../data/shards/shard-columns.js';
import { NotationError } from '../../../env/errors.js';
import { FIXTURE_SHARD, fixtureShard } from '../../data/fixture-shard.js';
import { asGames, sampleArbitrary, sampleGame, sampleMetadata } from '../../data/sample-arbitrary.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { fuzz } from '../fuzz.js';
import { mutants } from '../mutated-bytes.js';
import { checkRefusal } from '../refusal.js';
import { checkRow, rowsOf } from './row-laws.js';

const CODES = [
  ...['shard-format', 'shard-too-new', 'shard-game', 'shard-rules', 'shard-encoding'],
  ...['game-unknown', 'rules-unknown'],
];
const arbitraryRows = asGames(fc.sample(sampleArbitrary, { numRuns: 5, seed: 3 }));
const FILES = [
  fixtureShard(),
  { columns: columnsOf(arbitraryRows, sampleGame.packedSize), metadata: sampleMetadata },
].map(encodeParquet);

fuzz('a Parquet file with any bytes', {
  input: mutants(FILES),
  runs: 180,
  law: async ({ bytes }) => {
    try {
      for (const row of rowsOf(await decodeParquet('a file', bytes))) checkRow(row);
      return true;
    } catch (error) {
      checkRefusal(error);
      assert.ok(error instanceof DataError || error instanceof NotationError, error.name);
      assert.ok(CODES.includes(error.code), error.code);
      return false;
    }
  },
});

test('a Parquet file truncated to any length is refused', async () => {
  const [file] = FILES;
  for (let length = 0; length < file!.length; length += 97) {
    await expect(decodeParquet('a file', file!.slice(0, length))).rejects.toMatchObject({
      code: 'shard-format',
    });
  }
});

test('a folder of Parquet files is checked against its manifest', async () => {
  const folder = temporaryFolder();
  const parquet = join(folder, 'parquet');
  const request = { filter: ALL_ROWS, softwareVersion: '0.1.0' };
  await writeParquetDataset({ ...request, sources: [FIXTURE_SHARD], out: parquet });
  const file = join(parquet, 'part-000000.parquet');
  const convert = (source: string): Promise<number> =>
    readParquetDataset({ ...request, sources: [source], out: join(folder, 'back') });
  const manifest = join(parquet, 'manifest.json');
  for (const [path, code, sources] of [
    [file, /^file-altered$/, [parquet, file]],
    [manifest, /^manifest-(damaged|too-new)$/, [parquet]],
  ] as const) {
    const bytes = readFileSync(path);
    for (let index = 0; index < 25; index++) {
      const damaged = Buffer.from(bytes);
      damaged[Math.floor((index * bytes.length) / 25)]! ^= 1 << (index % 8);
      writeFileSync(path, damaged);
      for (const source of sources)
        await expect(convert(source)).rejects.toMatchObject({
          code: expect.stringMatching(code) as string,
        });
    }
    writeFileSync(path, bytes);
  }
  writeFileSync(join(parquet, 'part-000001.parquet'), readFileSync(file));
  await expect(convert(parquet)).rejects.toMatchObject({ code: 'manifest-damaged' });
  // A folder from another program has no manifest.
  const plain = join(folder, 'plain');
  mkdirSync(plain);
  writeFileSync(join(plain, 'a.parquet'), readFileSync(file));
  expect(await convert(plain)).toBe(12);
});
