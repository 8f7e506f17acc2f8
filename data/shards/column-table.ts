import { NO_ACTION } from '../../env/game.js';
import { type ArrayOf, type Dtype, DTYPES } from '../../env/spaces/dtype.js';

/** The result of a truncated game in `ShardColumns.results`. */
export const NO_RESULT = -128;

/** A numeric column's type in the file, by Arrow's name. */
export type NumberType = 'Uint8' | 'Uint16' | 'Uint32' | 'Int8' | 'Float32';

/** A column's type in the file, by Arrow's name; `P` is the size of a packed position. */
export type ColumnType = NumberType | 'List<Uint16>' | 'List<Float32>' | 'FixedSizeBinary[P]';

/** Definition of a column, sufficient for writing, reading, filtering and counting it. */
export interface ColumnDefinition {
  /** Name in the file and in `Sample`. */
  readonly name: string;
  /** Name of the array in `ShardColumns`. */
  readonly key: string;
  readonly type: ColumnType;
  /** Element type of the array, if not that of the file: one that can hold `absent`. */
  readonly stored?: Dtype;
  /** Value of the array where the file has null. Columns without one are not nullable. */
  readonly absent?: number;
  /** Null exactly where the column of this name is; the array has zeros there. */
  readonly absentWith?: string;
  /** All possible values except null, if they are few. */
  readonly values?: readonly number[];
  /** Bin width and title of the distribution over rows in `gess inspect`. */
  readonly histogram?: { readonly width: number; readonly title: string };
}

const TABLE = [
  {
    name: 'position',
    key: 'positions',
    type: 'FixedSizeBinary[P]',
  },
  {
    name: 'player',
    key: 'players',
    type: 'Uint8',
    values: [0, 1],
  },
  {
    name: 'ply',
    key: 'plies',
    type: 'Uint16',
    histogram: { width: 1, title: 'ply of rows' },
  },
  {
    name: 'actions',
    key: 'actions',
    type: 'List<Uint16>',
  },
  {
    name: 'policy',
    key: 'policies',
    type: 'List<Float32>',
  },
  {
    name: 'policyWeight',
    key: 'policyWeights',
    type: 'Float32',
    histogram: { width: 1 / 16, title: 'weight of the policy' },
  },
  {
    name: 'rootValue',
    key: 'rootValues',
    type: 'Float32',
    absent: NaN,
    histogram: { width: 1 / 16, title: 'root value, of searched rows' },
  },
  {
    name: 'result',
    key: 'results',
    type: 'Int8',
    absent: NO_RESULT,
    values: [-1, 0, 1],
  },
  {
    name: 'pliesLeft',
    key: 'pliesLeft',
    type: 'Uint16',
    histogram: { width: 1, title: 'plies left of rows' },
  },
  {
    name: 'searchSize',
    key: 'searchSizes',
    type: 'Uint32',
    histogram: { width: 1, title: 'simulations behind a row' },
  },
  {
    name: 'gameId',
    key: 'gameIds',
    type: 'Uint32',
  },
  {
    name: 'played',
    key: 'played',
    type: 'Uint16',
    stored: 'int32',
    absent: NO_ACTION,
  },
  {
    name: 'finalPosition',
    key: 'finalPositions',
    type: 'FixedSizeBinary[P]',
    absentWith: 'played',
  },
  {
    name: 'surprise',
    key: 'surprises',
    type: 'Float32',
    absent: NaN,
  },
] as const satisfies readonly ColumnDefinition[];

/** One column of the table, with the types that follow from its definition. */
export type ShardColumn = (typeof TABLE)[number];

/** A column of lists or packed positions. */
export type LargeColumn = Extract<ShardColumn, { readonly type: `List<${string}>` | 'FixedSizeBinary[P]' }>;

/** A column with one number a row. */
export type NumberColumn = Exclude<ShardColumn, LargeColumn>;

/** Element type of a column's array. */
type StoredAs<C extends ShardColumn> = C extends { readonly stored: infer D extends Dtype }
  ? D
  : C extends { readonly type: 'FixedSizeBinary[P]' }
    ? 'uint8'
    : C extends { readonly type: `List<${infer T}>` }
      ? Uncapitalize<T> & Dtype
      : Uncapitalize<C['type']> & Dtype;

/** The array that holds a column in memory. */
export type ArrayOfColumn<C extends ShardColumn> = ArrayOf<StoredAs<C>>;

/** The value of a column in one row, as an object holds it. */
export type ValueOfColumn<C extends ShardColumn> =
  | (C extends LargeColumn
      ? ArrayOfColumn<C>
      : C extends { readonly values: readonly (infer V)[] }
        ? V
        : number)
  | (C extends { readonly absent: number } | { readonly absentWith: string } ? null : never);

/** A column of the table, for code that handles all columns alike. */
export type AnyColumn<C extends ShardColumn = ShardColumn> = ColumnDefinition & Pick<C, 'name' | 'key'>;

/**
 * The columns of a shard, in the order of the file. Writing, reading, rows, Parquet, filters and statistics follow from
 * this table.
 */
export const SHARD_COLUMNS: readonly AnyColumn[] = TABLE;

/** Whether a column has lists. */
export function isList({ type }: ColumnDefinition): boolean {
  return type.startsWith('List<');
}

/** Whether a column has lists or packed positions, not one number a row. */
export function isLarge(column: AnyColumn): column is AnyColumn<LargeColumn> {
  return isList(column) || column.type === 'FixedSizeBinary[P]';
}

/** The columns of lists: an item for each legal action. */
export const LIST_COLUMNS = SHARD_COLUMNS.filter(isList);

/** The columns of lists and packed positions. */
export const LARGE_COLUMNS = SHARD_COLUMNS.filter(isLarge);

/** The columns with one number a row. */
export const NUMBER_COLUMNS = SHARD_COLUMNS.filter(
  (column): column is AnyColumn<NumberColumn> => !isLarge(column),
);

/** Element type of a column in the file: for lists that of the items, for packed positions `uint8`. */
export function dtypeOf({ type }: ColumnDefinition): Dtype {
  if (type === 'FixedSizeBinary[P]') return 'uint8';
  const number = /^List<(.+)>$/.exec(type)?.[1] ?? type;
  return number.toLowerCase() as Dtype;
}

/** An array of zeros for a column, of its element type in memory. */
export function emptyColumn(column: AnyColumn, length: number): ArrayOfColumn<ShardColumn> {
  return new DTYPES[column.stored ?? dtypeOf(column)].array(length) as ArrayOfColumn<ShardColumn>;
}

/** Whether a column may have nulls in the file. */
export function isNullable({ absent, absentWith }: ColumnDefinition): boolean {
  return absent !== undefined || absentWith !== undefined;
}

/** Type of a column in the file, by Arrow's name, for positions of `positionSize` bytes: `FixedSizeBinary[88]`. */
export function typeName({ type }: ColumnDefinition, positionSize: number): string {
  return type.replace('[P]', `[${positionSize}]`);
}
