import * as z from 'zod';
import { describeProblems, EXPLAINED } from '../../env/problems-text.js';
import { DTYPES } from '../../env/spaces/dtype.js';
import { DataError } from '../data-error.js';
import {
  type AnyColumn,
  dtypeOf,
  isList,
  isNullable,
  LIST_COLUMNS,
  SHARD_COLUMNS,
  type ShardColumn,
} from '../shards/column-table.js';
import type { Sample } from '../shards/sample.js';
import { columnsOf } from '../shards/shard-columns.js';
import type { DecodedShard } from '../shards/shard-encoding.js';
import { parseShardMetadata, type ShardMetadata } from '../shards/shard-metadata.js';
import { type FileMetaData, parquetMetadata, parquetReadObjects } from './parquet-library.js';

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

/** Least size of a row in bytes; rows of games are ten times as large. */
const MIN_ROW_BYTES = 2;
/** Maximum number of values for each byte of a file. */
const MAX_VALUES_PER_BYTE = 64;

/** The metadata of a file, and its rows as hyparquet returns them. */
interface RawRows {
  readonly texts: ReadonlyMap<string, string>;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/**
 * The number of rows that a footer announces. hyparquet allocates memory for the announced rows and values, so the file
 * must be large enough to hold them.
 *
 * @throws Error if the file is too small for them.
 */
function announcedRows({ num_rows, row_groups }: FileMetaData, bytes: number): number {
  const rows = Number(num_rows);
  const groups = row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
  if (groups !== rows) throw new Error(`${groups} rows in its row groups where ${rows} are announced`);
  const chunks = row_groups.flatMap(({ columns }) => columns.map(({ meta_data }) => meta_data));
  const values = chunks.map((chunk) => Number(chunk?.num_values ?? 0));
  const isPossible =
    rows >= 0 &&
    rows * MIN_ROW_BYTES <= bytes &&
    values.every((count) => count >= 0) &&
    values.reduce((sum, count) => sum + count, 0) <= bytes * MAX_VALUES_PER_BYTE;
  if (!isPossible) throw new Error(`more rows or values than ${bytes} bytes can hold`);
  return rows;
}

/** @throws Error if some columns or row groups lack rows, which would be dropped silently. */
async function readRawRows(file: ArrayBuffer, onFooter: (rows: number) => void): Promise<RawRows> {
  const metadata = parquetMetadata(file);
  const total = announcedRows(metadata, file.byteLength);
  onFooter(total);
  const ends = new Map<string, number>();
  const onPage = ({ pathInSchema, rowEnd }: { pathInSchema: readonly string[]; rowEnd: number }): void => {
    ends.set(pathInSchema.join('.'), rowEnd);
  };
  const rows = await parquetReadObjects({ file, metadata, utf8: false, onPage });
  for (const [name, end] of ends) {
    if (end !== total) throw new Error(`${end} rows in column ${name} where ${total} are announced`);
  }
  const pairs = metadata.key_value_metadata ?? [];
  return { texts: new Map(pairs.map(({ key, value = '' }) => [key, value])), rows };
}

/** Describes the first contradiction between a row and the file's metadata; null if there is none. */
function otherSource(row: Readonly<Record<string, unknown>>, metadata: ShardMetadata): string | null {
  for (const name of ['generation', 'seed'] as const) {
    const value = row[name];
    if (value === undefined) continue;
    const number = typeof value === 'number' || typeof value === 'bigint' ? Number(value) : NaN;
    if (number !== metadata[name]) return `${name} ${number} where its metadata has ${metadata[name]}`;
  }
  return null;
}

/**
 * Reads the rows of a Parquet file, in this process: hyparquet trusts the file, and some altered bytes keep it busy
 * forever or take all memory. `decodeParquet` does this in a process with limits.
 *
 * @param path for messages.
 * @param file kept.
 * @param onFooter called with the number of rows that the footer announces, before they are read.
 * @returns a shard with the length of its own positions; not compared with its game.
 * @throws DataError `shard-format`, `shard-too-new`.
 */
export async function readParquetRows(
  path: string,
  file: ArrayBuffer,
  onFooter: (rows: number) => void,
): Promise<DecodedShard> {
  const { texts, rows } = await readRawRows(file, onFooter).catch((cause: unknown) => {
    throw new DataError('shard-format', `expected a Parquet file in ${path}: ${String(cause)}`, { cause });
  });
  const metadata = parseShardMetadata(path, texts);
  const [first] = rows;
  const positionSize = ParquetRow.safeParse(first).data?.position.length ?? 0;
  const samples = rows.map((row, index): Sample => {
    const sample = ParquetRow.safeParse(row, EXPLAINED);
    const other = otherSource(row, metadata);
    const size = sample.data?.position.length ?? 0;
    const isFit = size === positionSize && (sample.data?.finalPosition?.length ?? size) === size;
    if (sample.success && isFit && other === null) return sample.data;
    const problem = sample.success
      ? (other ?? 'a position of another length')
      : describeProblems(sample.error);
    throw new DataError(
      'shard-format',
      `expected the columns of a shard in row ${index} of ${path}: ${problem}`,
    );
  });
  return { metadata, columns: columnsOf(samples, positionSize) };
}
