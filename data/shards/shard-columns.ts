import type { Player } from '../../env/game.js';
import {
  type AnyColumn,
  type ArrayOfColumn,
  emptyColumn,
  isLarge,
  isList,
  type LargeColumn,
  NUMBER_COLUMNS,
  type NumberColumn,
  SHARD_COLUMNS,
  type ShardColumn,
} from './column-table.js';
import type { Sample } from './sample.js';

/** The sizes of a shard: `N` rows, `P` bytes a position, `A` legal actions of all rows together. */
export interface ShardSizes {
  /** `N` */
  readonly rows: number;
  /** `P` */
  readonly positionSize: number;
  /** `[N + 1]` the actions of row `i` lie from `actionStart[i]` to `actionStart[i + 1]`; likewise its policy. */
  readonly actionStart: Int32Array;
}

/** The columns of a shard with one number a row, `[N]` each, by key. Nulls are the column's `absent`. */
export type SmallColumns = ShardSizes & {
  readonly [C in NumberColumn as C['key']]: ArrayOfColumn<C>;
};

/**
 * The rows of a shard as columns, by key: numbers `[N]`, packed positions `[N, P]`, actions and policies `[A]`. Values
 * are to the player to move; `SHARD_COLUMNS` has the meaning of each.
 */
export type ShardColumns = SmallColumns & {
  readonly [C in LargeColumn as C['key']]: ArrayOfColumn<C>;
};

/**
 * The large columns of one row, by name: views, not to be written to. Positions are `[P]`, actions and policy `[L]` for
 * `L` legal actions.
 */
export type RowContent = { readonly [C in LargeColumn as C['name']]: ArrayOfColumn<C> };

/** The columns of a shard from its sizes and an array for each of `columns`: `ShardColumns` if these are all. */
export function makeColumns(
  { rows, positionSize, actionStart }: ShardSizes,
  columns: readonly AnyColumn[],
  arrayOf: (column: AnyColumn) => ArrayOfColumn<ShardColumn>,
): SmallColumns {
  const arrays = columns.map((column): [string, unknown] => [column.key, arrayOf(column)]);
  return { rows, positionSize, actionStart, ...Object.fromEntries(arrays) } as SmallColumns;
}

/** Where the values of `row` begin in the array of a large column; for row `N`, its length. */
export function startOf(column: AnyColumn, sizes: ShardSizes, row: number): number {
  return isList(column) ? sizes.actionStart[row]! : row * sizes.positionSize;
}

/** Describes the first column that is shorter or longer than the sizes of its shard say; null if there is none. */
export function lengthProblem(columns: ShardColumns): string | null {
  const { rows, actionStart } = columns;
  if (actionStart.length !== rows + 1) {
    return `${rows + 1} numbers in actionStart, got ${actionStart.length}`;
  }
  for (const column of SHARD_COLUMNS) {
    const length = isLarge(column) ? startOf(column, columns, rows) : rows;
    const found = columns[column.key].length;
    if (found !== length) return `${length} numbers in ${column.key}, got ${found}`;
  }
  return null;
}

/** Columns of `samples`, copied. All positions must have the same length. */
export function columnsOf(samples: readonly Sample[], positionSize: number): ShardColumns {
  const rows = samples.length;
  const actionStart = new Int32Array(rows + 1);
  for (let row = 0; row < rows; row++)
    actionStart[row + 1] = actionStart[row]! + samples[row]!.actions.length;
  const sizes = { rows, positionSize, actionStart };
  return makeColumns(sizes, SHARD_COLUMNS, (column) => {
    const values = emptyColumn(column, isLarge(column) ? startOf(column, sizes, rows) : rows);
    for (const [row, sample] of samples.entries()) {
      const value = sample[column.name];
      if (typeof value === 'number') values[row] = value;
      else if (value !== null) values.set(value, startOf(column, sizes, row));
      else if (column.absent !== undefined) values[row] = column.absent;
    }
    return values;
  }) as ShardColumns;
}

/**
 * The last row of each game, by the game's number. It has the game's result, which earlier rows lack if a random move
 * came after them.
 */
export function lastRows({
  rows,
  gameIds,
}: Pick<ShardColumns, 'rows' | 'gameIds'>): ReadonlyMap<number, number> {
  const last = new Map<number, number>();
  for (let row = 0; row < rows; row++) last.set(gameIds[row]!, row);
  return last;
}

/** The player to move in row `row`. */
export function playerOf({ players }: Pick<ShardColumns, 'players'>, row: number): Player {
  return players[row] === 0 ? 0 : 1;
}

/**
 * The column whose `absent` marks the nulls of `column`: itself or the one of `absentWith`; null if it has no
 * nulls.
 */
function nullMarks({ name, absentWith }: AnyColumn): AnyColumn<NumberColumn> | null {
  const marks = NUMBER_COLUMNS.find((each) => each.name === (absentWith ?? name));
  return marks?.absent === undefined ? null : marks;
}

/** Returns a predicate for the rows in which a column is null; null for a column that is not nullable. */
export function nullTest(columns: SmallColumns, column: AnyColumn): ((row: number) => boolean) | null {
  const marks = nullMarks(column);
  if (marks === null) return null;
  const values = columns[marks.key];
  return (row) => Object.is(values[row], marks.absent);
}

/** The large columns of row `row`, as views. Written out for speed: batches read it for every row. */
export function contentOf(columns: ShardColumns, row: number): RowContent {
  const { positionSize, actionStart } = columns;
  const [from, to] = [row * positionSize, (row + 1) * positionSize];
  const [first, end] = [actionStart[row]!, actionStart[row + 1]!];
  return {
    position: columns.positions.subarray(from, to),
    finalPosition: columns.finalPositions.subarray(from, to),
    actions: columns.actions.subarray(first, end),
    policy: columns.policies.subarray(first, end),
  };
}

/** Row `row` as an object, copied. For tools and tests; loops read the columns. */
export function sampleOf(columns: ShardColumns, row: number): Sample {
  return sampleWith(columns, row, contentOf(columns, row));
}

/** The value of a column in row `row`: a number, a view of the row's list or position, or null. */
export function valueOf(columns: ShardColumns, column: AnyColumn, row: number): Sample[ShardColumn['name']] {
  if (nullTest(columns, column)?.(row) === true) return null;
  if (!isLarge(column)) return columns[column.key][row]!;
  return columns[column.key].subarray(startOf(column, columns, row), startOf(column, columns, row + 1));
}

const COLUMNS_AND_MARKS = SHARD_COLUMNS.map((column) => ({ column, marks: nullMarks(column) }));

/** Row `row` as an object, copied, from its numbers and its large columns. */
export function sampleWith(columns: SmallColumns, row: number, content: RowContent): Sample {
  const sample: Record<string, unknown> = {};
  for (const { column, marks } of COLUMNS_AND_MARKS) {
    const isNull = marks !== null && Object.is(columns[marks.key][row], marks.absent);
    if (isNull) sample[column.name] = null;
    else if (column.name in content)
      sample[column.name] = content[column.name as LargeColumn['name']].slice();
    else sample[column.name] = columns[column.key as NumberColumn['key']][row];
  }
  return sample as Sample;
}
