import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { z } from 'zod';
import { describeProblems } from '../../env/problems-text.js';
import { createGame } from '../../env/games.js';
import type { Provenance } from './dataset-card.js';
import type { DatasetRequest } from './dataset-tools.js';
import { writeDatasets } from './dataset-writer.js';
import { DataError, readFailure } from '../data-error.js';
import { compileFilter, samplesOf } from './row-filter.js';
import type { Sample } from '../shards/sample.js';
import { sha256 } from '../files/sealed-json.js';
import { columnsOf } from '../shards/shard-columns.js';
import type { DecodedShard } from '../shards/shard-encoding.js';
import { parseShardMetadata } from '../shards/shard-metadata.js';
import { checkGame } from '../shards/shard.js';

const bytes = z.instanceof(Uint8Array);
const uint16 = z.int().min(0).max(0xffff);
const uint32 = z.int().min(0).max(0xffff_ffff);
const orNull = <Value extends z.ZodType>(value: Value): z.ZodDefault<z.ZodNullable<Value>> =>
  value.nullable().default(null as never);

/** A row as it comes out of Parquet; columns that shards do not have are left out. */
const ParquetRow = z
  .object({
    position: bytes,
    player: z.literal([0, 1]),
    ply: uint16,
    actions: z.array(uint16),
    policy: z.array(z.number()),
    policyWeight: z.number(),
    rootValue: orNull(z.number()),
    result: orNull(z.literal([-1, 0, 1])),
    pliesLeft: uint16,
    searchSize: uint32,
    gameId: uint32,
    played: orNull(uint16),
    finalPosition: orNull(bytes),
    surprise: orNull(z.number()),
  })
  .refine(
    ({ actions, policy }) => actions.length === policy.length,
    'expected as many probabilities as actions',
  )
  .refine(({ played, finalPosition }) => (played === null) === (finalPosition === null), {
    error: 'expected a played action and a final position, or neither',
  })
  .transform((row): Sample => {
    return { ...row, actions: Uint16Array.from(row.actions), policy: Float32Array.from(row.policy) };
  });

/** Paths of the Parquet files in a folder, by name, or of one file. */
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
 * Reads what `encodeParquet` wrote, or another program from that: with the columns of a shard and its metadata.
 *
 * @param path for messages.
 * @throws DataError `shard-format`, `shard-too-new`, and what `checkGame` throws; NotationError `game-unknown`,
 *   `rules-unknown`.
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
 * Makes a dataset of the rows of Parquet files, or of folders of them. Memory: one file.
 *
 * @returns how many rows the new dataset has.
 * @throws DataError what `decodeParquet` and `writeDatasets` throw, `dataset-filter`, `dataset-mixed`, `dataset-empty`,
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
        const content = await readFile(path).catch((error: unknown) => {
          throw readFailure(path, error);
        });
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
