import {
  Field,
  FixedSizeBinary,
  Float32,
  Int8,
  List,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  tableFromIPC,
  tableToIPC,
  Uint16,
  Uint32,
  Uint8,
  type Data,
} from 'apache-arrow';
import { DataError } from '../data-error.js';
import { NO_ACTION, NO_RESULT, type ShardColumns } from './shard-columns.js';
import {
  formatShardMetadata,
  parseShardMetadata,
  parseShardVersion,
  type ShardMetadata,
} from './shard-metadata.js';

/** The columns of a shard by name, in order, with their Arrow types; those of version 1 first. */
const COLUMN_TYPES = [
  ['position', /^FixedSizeBinary\[\d+\]$/],
  ['player', /^Uint8$/],
  ['ply', /^Uint16$/],
  ['actions', /^List<Uint16>$/],
  ['policy', /^List<Float32>$/],
  ['policyWeight', /^Float32$/],
  ['rootValue', /^Float32$/],
  ['result', /^Int8$/],
  ['pliesLeft', /^Uint16$/],
  ['searchSize', /^Uint32$/],
  ['gameId', /^Uint32$/],
  ['played', /^Uint16$/],
  ['finalPosition', /^FixedSizeBinary\[\d+\]$/],
  ['surprise', /^Float32$/],
] as const;

/** How many of them shards of version 1 have. */
const COLUMNS_OF_VERSION_1 = 11;

const NULLABLE = new Set(['rootValue', 'result', 'played', 'finalPosition', 'surprise']);

/** A shard's rows and what it says of them. */
export interface DecodedShard {
  readonly metadata: ShardMetadata;
  readonly columns: ShardColumns;
}

/** Arrow's marks of what is not null: bit `i`, lowest first, is 1 where value `i` is there. */
function validity(
  rows: number,
  isNull: (row: number) => boolean,
): { nullCount: number; nullBitmap: Uint8Array } {
  const nullBitmap = new Uint8Array((rows + 7) >> 3);
  let nullCount = 0;
  for (let row = 0; row < rows; row++) {
    if (isNull(row)) nullCount += 1;
    else nullBitmap[row >> 3]! |= 1 << (row & 7);
  }
  return { nullCount, nullBitmap };
}

/**
 * The columns for Arrow's writer, copied: it takes neighbouring buffers that lie in one `ArrayBuffer` for one
 * piece of memory and writes too little (apache-arrow 21.2, `joinUint8Arrays`).
 */
function arrowColumns(columns: ShardColumns): Data[] {
  const length = columns.rows;
  const { actionStart, actions, policies } = columns;
  const flat = { length, nullCount: 0 };
  const items = { length: actions.length, nullCount: 0 };
  const whereKnown = validity(length, (row) => columns.played[row] === NO_ACTION);
  return [
    makeData({ type: new FixedSizeBinary(columns.positionSize), ...flat, data: columns.positions.slice() }),
    makeData({ type: new Uint8(), ...flat, data: columns.players.slice() }),
    makeData({ type: new Uint16(), ...flat, data: columns.plies.slice() }),
    makeData({
      type: new List(new Field('item', new Uint16(), false)),
      ...flat,
      valueOffsets: actionStart.slice(),
      child: makeData({ type: new Uint16(), ...items, data: actions.slice() }),
    }),
    makeData({
      type: new List(new Field('item', new Float32(), false)),
      ...flat,
      valueOffsets: actionStart.slice(),
      child: makeData({ type: new Float32(), ...items, data: policies.slice() }),
    }),
    makeData({ type: new Float32(), ...flat, data: columns.policyWeights.slice() }),
    nullableFloats(columns.rootValues),
    makeData({
      type: new Int8(),
      length,
      ...validity(length, (row) => columns.results[row] === NO_RESULT),
      data: columns.results.map((value) => (value === NO_RESULT ? 0 : value)),
    }),
    makeData({ type: new Uint16(), ...flat, data: columns.pliesLeft.slice() }),
    makeData({ type: new Uint32(), ...flat, data: columns.searchSizes.slice() }),
    makeData({ type: new Uint32(), ...flat, data: columns.gameIds.slice() }),
    makeData({
      type: new Uint16(),
      length,
      ...whereKnown,
      data: columns.played.map((action) => (action === NO_ACTION ? 0 : action)),
    }),
    makeData({
      type: new FixedSizeBinary(columns.positionSize),
      length,
      nullCount: whereKnown.nullCount,
      nullBitmap: whereKnown.nullBitmap.slice(),
      data: columns.finalPositions.slice(),
    }),
    nullableFloats(columns.surprises),
  ];
}

/** A column with nulls for NaNs. */
function nullableFloats(values: Float32Array): Data<Float32> {
  return makeData({
    type: new Float32(),
    length: values.length,
    ...validity(values.length, (row) => Number.isNaN(values[row])),
    // Nulls have 0 under them: NaNs have more than one bit pattern, and equal rows are to give equal bytes.
    data: values.map((value) => (Number.isNaN(value) ? 0 : value)),
  });
}

/**
 * The bytes of an Arrow IPC file with these rows in one record batch, uncompressed. Equal rows and metadata
 * give equal bytes.
 */
export function encodeShard(columns: ShardColumns, metadata: ShardMetadata): Uint8Array {
  const children = arrowColumns(columns);
  const fields = children.map((child, index) => {
    const name = COLUMN_TYPES[index]![0];
    return new Field(name, child.type, NULLABLE.has(name));
  });
  const schema = new Schema(fields, formatShardMetadata(metadata));
  const data = makeData({ type: new Struct(fields), length: columns.rows, nullCount: 0, children });
  return tableToIPC(new Table(schema, [new RecordBatch(schema, data)]), 'file');
}

function parseArrow(path: string, bytes: Uint8Array): Table {
  try {
    return tableFromIPC(bytes);
  } catch (error) {
    throw new DataError('shard-format', `expected an Arrow IPC file in ${path}: ${String(error)}`, {
      cause: error,
    });
  }
}

function checkColumns(path: string, table: Table, version: number): ColumnData {
  const found = table.schema.fields.map((field) => `${field.name}: ${String(field.type)}`);
  const expected = version === 1 ? COLUMN_TYPES.slice(0, COLUMNS_OF_VERSION_1) : COLUMN_TYPES;
  const fits = expected.every(([name, type], index) => {
    const field = table.schema.fields[index];
    return field?.name === name && type.test(String(field.type));
  });
  if (!fits)
    throw new DataError('shard-format', `${path} does not have a shard's columns: ${found.join(', ')}`);
  const [batch, ...more] = table.batches;
  if (batch === undefined || more.length > 0) {
    throw new DataError(
      'shard-format',
      `expected one record batch in ${path}, found ${table.batches.length}`,
    );
  }
  return batch.data.children as unknown as ColumnData;
}

/** What `checkColumns` made sure of. */
type ColumnData = readonly [
  position: Data<FixedSizeBinary>,
  player: Data<Uint8>,
  ply: Data<Uint16>,
  actions: Data<List<Uint16>>,
  policy: Data<List<Float32>>,
  policyWeight: Data<Float32>,
  rootValue: Data<Float32>,
  result: Data<Int8>,
  pliesLeft: Data<Uint16>,
  searchSize: Data<Uint32>,
  gameId: Data<Uint32>,
  played?: Data<Uint16>,
  finalPosition?: Data<FixedSizeBinary>,
  surprise?: Data<Float32>,
];

/** A copy of the values with `stand` where there are nulls. */
function withNulls<A extends Float32Array | Int8Array | Uint16Array>(
  data: Data,
  values: A,
  stand: number,
): A {
  const copy = values.slice(0, data.length) as A;
  if (data.nullCount === 0) return copy;
  for (let row = 0; row < data.length; row++) {
    if ((data.nullBitmap[row >> 3]! & (1 << (row & 7))) === 0) copy[row] = stand;
  }
  return copy;
}

/** `[N + 1]` where each row's list begins and ends. */
function offsetsOf(list: Data<List>): Int32Array {
  return (list.valueOffsets as Int32Array).subarray(0, list.length + 1);
}

/** `[A]` the items of all rows' lists. */
function itemsOf<T extends Uint16 | Float32>(list: Data<List<T>>): T['TArray'] {
  const items = list.children[0] as Data<T>;
  return items.values.subarray(0, items.length);
}

/** What of the rows would make a reader look outside its arrays, or null. */
function inconsistency(columns: ShardColumns, policyStart: Int32Array): string | null {
  const { rows, positionSize, actionStart, actions, policies } = columns;
  for (const positions of [columns.positions, columns.finalPositions]) {
    if (positions.length !== rows * positionSize) return 'positions of another length';
  }
  if (actionStart.length !== rows + 1 || policyStart.length !== rows + 1) return 'offsets of another length';
  if (actionStart[0]! < 0) return 'a negative offset';
  for (let row = 0; row < rows; row++) {
    const [start, end] = [actionStart[row]!, actionStart[row + 1]!];
    if (start !== policyStart[row] || end !== policyStart[row + 1])
      return 'actions and policies that differ in number';
    if (start > end) return 'offsets that descend';
  }
  if (actionStart[rows]! > Math.min(actions.length, policies.length)) return 'offsets beyond the lists';
  return null;
}

/**
 * Reads what `encodeShard` wrote. The columns are views of `bytes`, not copies, but for nulls.
 *
 * Pass only bytes that a checksum vouches for, as `readShard` does: apache-arrow's reader goes on for ever over
 * some altered headers.
 *
 * Throws `DataError` `shard-format` or `shard-too-new`.
 *
 * @param path for messages.
 */
export function decodeShard(path: string, bytes: Uint8Array): DecodedShard {
  const table = parseArrow(path, bytes);
  const metadata = parseShardMetadata(path, table.schema.metadata);
  const version = parseShardVersion(path, table.schema.metadata);
  const rows = table.numRows;
  const [
    position,
    player,
    ply,
    actions,
    policy,
    policyWeight,
    rootValue,
    result,
    pliesLeft,
    searchSize,
    gameId,
    played,
    finalPosition,
    surprise,
  ] = checkColumns(path, table, version);
  const positionsSize = rows * position.type.byteWidth;
  // Arrow pads its buffers: what lies behind the last row is cut off.
  const columns: ShardColumns = {
    rows,
    positionSize: position.type.byteWidth,
    positions: position.values.subarray(0, positionsSize),
    players: player.values.subarray(0, rows),
    plies: ply.values.subarray(0, rows),
    actionStart: offsetsOf(actions),
    actions: itemsOf<Uint16>(actions),
    policies: itemsOf<Float32>(policy),
    policyWeights: policyWeight.values.subarray(0, rows),
    rootValues: withNulls(rootValue, rootValue.values, NaN),
    results: withNulls(result, result.values, NO_RESULT),
    pliesLeft: pliesLeft.values.subarray(0, rows),
    searchSizes: searchSize.values.subarray(0, rows),
    gameIds: gameId.values.subarray(0, rows),
    played:
      played === undefined
        ? new Uint16Array(rows).fill(NO_ACTION)
        : withNulls(played, played.values, NO_ACTION),
    finalPositions: finalPosition?.values.subarray(0, positionsSize) ?? new Uint8Array(positionsSize),
    surprises:
      surprise === undefined ? new Float32Array(rows).fill(NaN) : withNulls(surprise, surprise.values, NaN),
  };
  const problem = inconsistency(columns, offsetsOf(policy));
  if (problem === null) return { metadata, columns };
  throw new DataError('shard-format', `${path} has ${problem}`);
}
