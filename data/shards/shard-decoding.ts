import { DataError } from '../data-error.js';
import { type ArrowBatch, type ArrowValues, isNullAt } from '../files/arrow-batch.js';
import { type ArrowFile, openArrow } from '../files/arrow-reading.js';
import {
  type AnyColumn,
  type ArrayOfColumn,
  emptyColumn,
  isNullable,
  LIST_COLUMNS,
  SHARD_COLUMNS,
  type ShardColumn,
  typeName,
} from './column-table.js';
import { makeColumns, type ShardColumns } from './shard-columns.js';
import type { DecodedShard } from './shard-encoding.js';
import { parseShardMetadata } from './shard-metadata.js';
import { firstContradiction } from './row-contradiction.js';

/**
 * Checks that a file has exactly the columns of a shard.
 *
 * @returns the size of a packed position in bytes.
 */
function checkFields(path: string, { fields }: ArrowFile): number {
  const found = fields.map(({ name, layout }) => `${name}: ${layout.name}`);
  const positionSize = Number(/^position: FixedSizeBinary\[(\d+)\]$/.exec(found[0] ?? '')?.[1]);
  const fits = SHARD_COLUMNS.every((column, index) => {
    return found[index] === `${column.name}: ${typeName(column, positionSize)}`;
  });
  if (fits && found.length === SHARD_COLUMNS.length) return positionSize;
  throw new DataError('shard-format', `${path} does not have a shard's columns: ${found.join(', ')}`);
}

/**
 * The values of a column: a view of the file's buffer, or a copy where it may have nulls; null if a value that stands
 * for null in memory is not null in the file.
 */
function decodeColumn(
  column: AnyColumn,
  found: ArrowValues,
  rows: number,
): ArrayOfColumn<ShardColumn> | null {
  const values = found.values as ArrayOfColumn<ShardColumn>;
  const { absent } = column;
  if (absent === undefined) return values;
  const copy = emptyColumn(column, values.length);
  copy.set(values);
  if (found.validity === null) return copy.includes(absent) ? null : copy;
  for (let row = 0; row < rows; row++) {
    if (isNullAt(found, row)) copy[row] = absent;
    else if (Object.is(copy[row], absent)) return null;
  }
  return copy;
}

/** `[N + 1]` where the lists of each row begin and end: in all columns of lists alike. */
function sharedOffsets({ columns }: ArrowBatch): Int32Array | null {
  const [first, ...others] = LIST_COLUMNS.map(({ name }) => columns.get(name)!.offsets!);
  const bytesOf = ({ buffer, byteOffset, byteLength }: Int32Array): Buffer =>
    Buffer.from(buffer, byteOffset, byteLength);
  return others.every((each) => bytesOf(each).equals(bytesOf(first!))) ? first! : null;
}

/** Describes the first column with nulls where it cannot have any; null if there is none. */
function misplacedNulls({ rows, columns }: ArrowBatch): string | null {
  for (const column of SHARD_COLUMNS) {
    const { name, absentWith } = column;
    const found = columns.get(name)!;
    if (found.validity !== null && !isNullable(column)) return `a null in ${name}`;
    if (absentWith === undefined) continue;
    const marks = columns.get(absentWith)!;
    for (let row = 0; row < rows; row++) {
      if (isNullAt(found, row) !== isNullAt(marks, row)) return `${name} without ${absentWith} in row ${row}`;
    }
  }
  return null;
}

/**
 * Decodes the bytes of `encodeShard`, or of another program with the same columns and metadata. Columns without nulls
 * are views of `bytes`, the others copies. Trusts nothing: the file may be malicious.
 *
 * @param path for messages.
 * @throws DataError `shard-format`, also for rows that contradict themselves; `shard-too-new`.
 */
export function decodeShard(path: string, bytes: Uint8Array): DecodedShard {
  const file = openArrow(path, bytes, 'shard-format');
  const metadata = parseShardMetadata(path, file.metadata);
  const positionSize = checkFields(path, file);
  const batch = file.readBatch();
  const { rows } = batch;
  const refuse = (problem: string): never => {
    throw new DataError('shard-format', `${path} has ${problem}`);
  };
  const actionStart = sharedOffsets(batch) ?? refuse('lists that differ in length');
  const nulls = misplacedNulls(batch);
  if (nulls !== null) refuse(nulls);
  const columns = makeColumns({ rows, positionSize, actionStart }, SHARD_COLUMNS, (column) => {
    return decodeColumn(column, batch.columns.get(column.name)!, rows) ?? refuse(`a reserved ${column.name}`);
  }) as ShardColumns;
  const problem = firstContradiction(columns);
  if (problem !== null) refuse(problem);
  return { metadata, columns };
}
