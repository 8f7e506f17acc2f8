import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import * as z from 'zod';
import { describeProblems } from '../../env/problems-text.js';
import { createGame } from '../../env/games.js';
import { DTYPES } from '../../env/spaces/dtype.js';
import { readInput } from '../files/input-file.js';
import type { Provenance } from './dataset-card.js';
import type { DatasetRequest } from './dataset-tools.js';
import { writeDatasets } from './dataset-writer.js';
import { DataError, readFailure } from '../data-error.js';
import { compileFilter, samplesOf } from './row-filter.js';
import type { Sample } from '../shards/sample.js';
import { sha256 } from '../files/sealed-json.js';
import {
  type AnyColumn,
  dtypeOf,
  isList,
  isNullable,
  LIST_COLUMNS,
  SHARD_COLUMNS,
  type ShardColumn,
} from '../shards/column-table.js';
import { columnsOf } from '../shards/shard-columns.js';
import { parquetMetadata, parquetReadObjects } from './parquet-library.js';
import type { DecodedShard } from '../shards/shard-encoding.js';
import { parseShardMetadata } from '../shards/shard-metadata.js';
import { checkGame } from '../shards/shard.js';

/** Schema of a column's values as read from Parquet. */
function valueSchema(column: AnyColumn): z.ZodType {
  if (column.type === 'FixedSizeBinary[P]') return z.instanceof(Uint8Array);
  const { isInteger, min, max } = DTYPES[dtypeOf(column)];
  const number = isInteger ? z.int().min(min).max(max) : z.number();
  if (isList(column)) return z.array(number);
  return column.values === undefined ? number : z.literal(column.values);
}

/** Schema of a row as read from Parquet; columns that shards do not have are dropped. */
const ParquetRow = z
  .object(
    Object.fromEntries(
      SHARD_COLUMNS.map((column) => {
        const schema = valueSchema(column);
        return [column.name, isNullable(column) ? schema.nullable().default(null) : schema];
      }),
    ),
  )
  .transform((row) => row as Readonly<Record<ShardColumn['name'], unknown>>)
  .superRefine((row, context) => {
    const lengths = new Set(LIST_COLUMNS.map(({ name }) => (row[name] as readonly number[]).length));
    if (lengths.size > 1) context.addIssue('expected as many probabilities as actions');
    for (const { name, absentWith } of SHARD_COLUMNS) {
      const other = absentWith as ShardColumn['name'] | undefined;
      if (other === undefined || (row[name] === null) === (row[other] === null)) continue;
      context.addIssue(`expected ${name} to be null exactly where ${other} is`);
    }
  })
  .transform((row): Sample => {
    const lists = LIST_COLUMNS.map((column) => {
      const { array } = DTYPES[dtypeOf(column)];
      const list = row[column.name] as readonly number[];
      const values = new array(list.length);
      values.set(list);
      return [column.name, values];
    });
    return { ...row, ...Object.fromEntries(lists) } as Sample;
  });

/** Paths of the Parquet files in a folder, by name; of a file, its own path. */
async function listParquetFiles(path: string): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = await readdir(path);
    return names
      .filter((name) => name.endsWith('.parquet'))
      .sort()
      .map((name) => join(path, name));
  } catch (error) {
    throw readFailure(path, error);
  }
}

/**
 * Reads a Parquet file of `encodeParquet`, or of another program with the columns of a shard and its metadata.
 *
 * @param path for messages.
 * @throws DataError `shard-format`, `shard-too-new`, and as `checkGame`; NotationError `game-unknown`, `rules-unknown`.
 */
export async function decodeParquet(path: string, content: Uint8Array): Promise<DecodedShard> {
  const file = Uint8Array.from(content).buffer;
  let found: readonly Record<string, unknown>[];
  let texts: Map<string, string>;
  try {
    const pairs = parquetMetadata(file).key_value_metadata ?? [];
    texts = new Map(pairs.map(({ key, value = '' }) => [key, value]));
    found = await parquetReadObjects({ file, utf8: false });
  } catch (cause) {
    throw new DataError('shard-format', `expected a Parquet file in ${path}: ${String(cause)}`, { cause });
  }
  const metadata = parseShardMetadata(path, texts);
  const game = createGame(metadata.game, metadata.rules);
  const samples = found.map((row, index): Sample => {
    const sample = ParquetRow.safeParse(row);
    const isFit = sample.data?.position.length === game.packedSize;
    if (
      sample.success &&
      isFit &&
      (sample.data.finalPosition?.length ?? game.packedSize) === game.packedSize
    ) {
      return sample.data;
    }
    const problem = sample.success ? 'a position of another length' : describeProblems(sample.error);
    throw new DataError(
      'shard-format',
      `expected the columns of a shard in row ${index} of ${path}: ${problem}`,
    );
  });
  const shard = { metadata, columns: columnsOf(samples, game.packedSize) };
  checkGame(path, shard, game);
  return shard;
}

/**
 * Makes a dataset from the rows of Parquet files or of folders of them. Memory: one file.
 *
 * @returns the number of rows of the new dataset.
 * @throws DataError as `decodeParquet` and `writeDatasets`; `dataset-filter`, `dataset-mixed`, `dataset-empty`,
 *   `file-missing`, `file-unreadable`.
 */
export async function readParquetDataset(request: DatasetRequest): Promise<number> {
  const { sources, out, filter, softwareVersion, onShard } = request;
  const select = compileFilter(filter);
  const lists = await Promise.all(sources.map(listParquetFiles));
  const empty = lists.findIndex((paths) => paths.length === 0);
  if (empty !== -1) {
    throw new DataError('dataset-empty', `expected Parquet files in ${sources[empty]!}, found none`);
  }
  const total = lists.reduce((sum, paths) => sum + paths.length, 0);
  const origins: Provenance['sources'] = [];
  const origin = (): { words: object; madeBy: Provenance } => {
    const options = { from: 'parquet', where: [...filter.where], sample: filter.sample, seed: filter.seed };
    return { words: {}, madeBy: { operation: 'convert', options, sources: origins } };
  };
  let done = 0;
  const rows = await writeDatasets({ folder: out, parts: [''], softwareVersion, origin }, async (parts) => {
    for (const [index, paths] of lists.entries()) {
      const digests: string[] = [];
      let count = 0;
      for (const path of paths) {
        const content = await readInput(path, 'shard');
        const shard = await decodeParquet(path, content);
        await parts.get('')!.add(shard.metadata, samplesOf(shard.columns, select(shard)));
        digests.push(sha256(content));
        count += shard.columns.rows;
        onShard?.(++done, total);
      }
      origins.push({
        name: basename(resolve(sources[index]!)),
        rows: count,
        sha256: sha256(digests.join('')),
      });
    }
  });
  return rows['']!;
}
