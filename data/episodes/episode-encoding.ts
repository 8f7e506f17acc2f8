import {
  Bool,
  type Data,
  type DataType,
  Field,
  Float32,
  Float64,
  Int16,
  Int32,
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
  Uint64,
  Uint8,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import type { RecordedEpisode } from '../../env/environments/wrappers/record-episodes.js';
import { createBatch, sampleOfBatch, writeSample } from '../../env/spaces/batch.js';
import type { Dtype, NumberArray } from '../../env/spaces/dtype.js';
import { assertContains } from '../../env/spaces/space.js';
import { arrayOfLeaf, type Leaf, leavesOf } from './episode-leaves.js';
import {
  type DatasetMetadata,
  type EpisodeFacts,
  formatEpisodeMetadata,
  parseEpisodeMetadata,
} from './episode-metadata.js';
import { DataError } from '../data-error.js';

/** Episodes, and what is said of them. */
export interface EpisodeDataset {
  readonly metadata: DatasetMetadata;
  /** 1 or more, of one environment: with equal specs and agents, all with observations or all without. */
  readonly episodes: readonly RecordedEpisode[];
}

/** Arrow counts the elements of a column's lists by 32-bit integers. */
const MAX_ELEMENTS = 2 ** 31 - 1;

const ARROW_TYPES: Readonly<Record<Dtype, () => DataType>> = {
  float32: () => new Float32(),
  float64: () => new Float64(),
  int8: () => new Int8(),
  uint8: () => new Uint8(),
  int16: () => new Int16(),
  uint16: () => new Uint16(),
  int32: () => new Int32(),
  uint32: () => new Uint32(),
};

/** As `makeData`, whose overloads know one type each. */
const makeNumbers = makeData as (properties: {
  readonly type: DataType;
  readonly length: number;
  readonly nullCount: number;
  readonly data: NumberArray;
}) => Data;

/** What a column of lists says that it is. Type null is for 0 and 1, which take a bit each. */
function listTypeName(dtype: Dtype | null): string {
  return `List<${dtype === null ? 'Bool' : dtype.charAt(0).toUpperCase() + dtype.slice(1)}>`;
}

const ROOT = 'observations';

/** The lists of numbers that every episode has, by name, with their types. */
const LISTS = [
  ['actors', 'uint8'],
  ['actions', 'int32'],
  ['seconds', 'float64'],
  ['rewards', 'float64'],
  ['terminations', null],
  ['truncations', null],
] as const;

/** A column of lists: an array for each episode. Type null is for 0 and 1, which take a bit each. */
function listColumn(name: string, dtype: Dtype | null, lists: readonly NumberArray[]): Column {
  const offsets = new Int32Array(lists.length + 1);
  let total = 0;
  for (const [row, list] of lists.entries()) {
    total += list.length;
    if (total > MAX_ELEMENTS) {
      throw new DataError(
        'episode-content',
        `expected at most ${MAX_ELEMENTS} numbers of ${name} in a file, got more`,
      );
    }
    offsets[row + 1] = total;
  }
  const type = dtype === null ? new Bool() : ARROW_TYPES[dtype]();
  const data = dtype === null ? packBits(lists, total) : joined(type, lists, total);
  const child = makeNumbers({ type, length: total, nullCount: 0, data });
  const list = new List(new Field('item', type, false));
  return {
    field: new Field(name, list, false),
    data: makeData({
      type: list,
      length: lists.length,
      nullCount: 0,
      valueOffsets: offsets,
      child,
    }),
  };
}

interface Column {
  readonly field: Field;
  readonly data: Data;
}

function joined(type: DataType, lists: readonly NumberArray[], total: number): NumberArray {
  const out = new (type.ArrayType as new (length: number) => NumberArray)(total);
  let at = 0;
  for (const list of lists) {
    out.set(list, at);
    at += list.length;
  }
  return out;
}

/** Bit `i`, lowest first, of byte `i / 8`. */
function packBits(lists: readonly NumberArray[], total: number): Uint8Array {
  const out = new Uint8Array(Math.ceil(total / 8));
  let at = 0;
  for (const list of lists) {
    for (let index = 0; index < list.length; index++, at++)
      if (list[index] === 1) out[at >> 3]! |= 1 << (at & 7);
  }
  return out;
}

/** What all episodes have in common. */
function factsOf(episodes: readonly RecordedEpisode[]): EpisodeFacts {
  const [first] = episodes;
  if (first === undefined) throw new DataError('episode-content', 'expected an episode or more, got none');
  const { spec, agents } = first;
  const common = JSON.stringify([spec, agents, first.observations === null]);
  for (const { id, ...episode } of episodes) {
    const own = JSON.stringify([episode.spec, episode.agents, episode.observations === null]);
    if (own !== common) {
      const expected = 'episodes with the same spec and agents, all with observations or none';
      throw new DataError('episode-content', `expected ${expected}: ${id} differs from ${first.id}`);
    }
    if (episode.observations !== null && episode.observations.length !== episode.actions.length + 1) {
      const expected = `${episode.actions.length + 1} observations of episode ${id}`;
      throw new DataError('episode-content', `expected ${expected}, got ${episode.observations.length}`);
    }
  }
  const totalSteps = episodes.reduce((steps, { actions }) => steps + actions.length, 0);
  return { spec, agents, totalEpisodes: episodes.length, totalSteps };
}

function observationColumns({ metadata, episodes }: EpisodeDataset): Column[] {
  const space = metadata.observationSpace;
  const batches = episodes.map(({ id, observations }) => {
    const batch = createBatch(space, observations!.length);
    observations!.forEach((observation, index) => {
      assertContains(space, observation, [`episode ${id}`, index]);
      writeSample(space, observation, batch, index);
    });
    return batch;
  });
  return leavesOf(space, ROOT).map((leaf) => {
    const lists = batches.map((batch) => arrayOfLeaf(leaf, batch));
    return listColumn(leaf.name, leaf.dtype, lists);
  });
}

function flatColumn(name: string, type: DataType, values: readonly unknown[], isNullable: boolean): Column {
  return { field: new Field(name, type, isNullable), data: vectorFromArray(values, type).data[0]! };
}

/**
 * The bytes of an Arrow IPC file with a row for each episode in one record batch, uncompressed. Equal datasets
 * give equal bytes.
 *
 * @throws DataError `episode-content`; SpaceError `sample-outside`, `space-kind` for the observations.
 */
export function encodeEpisodes(dataset: EpisodeDataset): Uint8Array {
  const { metadata, episodes } = dataset;
  const facts = factsOf(episodes);
  const columns = [
    flatColumn(
      'id',
      new Uint32(),
      episodes.map(({ id }) => id),
      false,
    ),
    flatColumn(
      'seed',
      new Uint64(),
      episodes.map(({ seed }) => (seed === null ? null : BigInt(seed))),
      true,
    ),
    flatColumn(
      'position',
      new Utf8(),
      episodes.map(({ position }) => position),
      true,
    ),
    flatColumn(
      'moves',
      new Utf8(),
      episodes.map(({ moves }) => moves),
      true,
    ),
    ...LISTS.map(([name, dtype]) => {
      const lists = episodes.map((episode) => episode[name]);
      return listColumn(name, dtype, lists);
    }),
    ...(episodes[0]!.observations === null ? [] : observationColumns(dataset)),
  ];
  const fields = columns.map(({ field }) => field);
  const schema = new Schema(fields, formatEpisodeMetadata(metadata, facts));
  const children = columns.map(({ data }) => data);
  const rows = makeData({ type: new Struct(fields), length: episodes.length, nullCount: 0, children });
  return tableToIPC(new Table(schema, [new RecordBatch(schema, rows)]), 'file');
}

/** The columns of a file, by name. */
class EpisodeColumns {
  private readonly path: string;
  private readonly batch: RecordBatch;

  constructor(path: string, table: Table) {
    const [batch, ...more] = table.batches;
    if (batch === undefined || more.length > 0) {
      const found = table.batches.length;
      throw new DataError('episode-format', `expected one record batch in ${path}, found ${found}`);
    }
    this.path = path;
    this.batch = batch;
  }

  has(name: string): boolean {
    return this.batch.schema.fields.some((field) => field.name === name);
  }

  /** A value of a flat column. */
  value(name: string, type: string, row: number): unknown {
    return this.column(name, type).get(row);
  }

  /** A list of numbers; of 0 and 1 for those that take a bit each. */
  list(name: string, dtype: Dtype | null, row: number): NumberArray {
    const { data } = this.column(name, listTypeName(dtype));
    const [column] = data as unknown as readonly [Data<List>];
    const valueOffsets = column.valueOffsets as Int32Array;
    const values = column.children[0]!.values as NumberArray;
    const [start, end] = [valueOffsets[row]!, valueOffsets[row + 1]!];
    const available = dtype === null ? values.length * 8 : values.length;
    if (start < 0 || start > end || end > available) {
      throw new DataError('episode-format', `${this.path} has lists of ${name} beyond their end`);
    }
    if (dtype !== null) return values.slice(start, end);
    return Uint8Array.from({ length: end - start }, (_, index) => {
      return (values[(start + index) >> 3]! >> ((start + index) & 7)) & 1;
    });
  }

  private column(name: string, type: string): NonNullable<ReturnType<RecordBatch['getChild']>> {
    const column = this.batch.getChild(name);
    if (column !== null && String(column.type) === type) return column;
    const found = column === null ? 'none' : String(column.type);
    throw new DataError(
      'episode-format',
      `expected a column ${name}: ${type} in ${this.path}, found ${found}`,
    );
  }
}

function readObservations(
  { metadata }: Pick<EpisodeDataset, 'metadata'>,
  columns: EpisodeColumns,
  { row, count, path }: { readonly row: number; readonly count: number; readonly path: string },
): readonly unknown[] {
  const space = metadata.observationSpace;
  const batch = createBatch(space, count);
  for (const leaf of leavesOf(space, ROOT)) {
    const list = columns.list(leaf.name, leaf.dtype, row);
    checkLength(path, leaf, [list.length, count * leaf.size]);
    arrayOfLeaf(leaf, batch).set(list);
  }
  return Array.from({ length: count }, (_, index) => sampleOfBatch(space, batch, index));
}

function checkLength(
  path: string,
  { name }: Pick<Leaf, 'name'>,
  [found, expected]: readonly [number, number],
): void {
  if (found === expected) return;
  throw new DataError('episode-format', `expected ${expected} numbers of ${name} in ${path}, found ${found}`);
}

function parseArrow(path: string, bytes: Uint8Array): Table {
  try {
    return tableFromIPC(bytes);
  } catch (error) {
    const message = `expected an Arrow IPC file in ${path}: ${String(error)}`;
    throw new DataError('episode-format', message, { cause: error });
  }
}

/**
 * Reads what `encodeEpisodes` wrote, copied.
 *
 * Pass only bytes that a checksum vouches for, as `readEpisodes` does: apache-arrow's reader goes on for ever over
 * some altered headers.
 *
 * @param path for messages.
 * @throws DataError `episode-format`, `episode-too-new`.
 */
export function decodeEpisodes(path: string, bytes: Uint8Array): EpisodeDataset {
  const table = parseArrow(path, bytes);
  const { metadata, facts } = parseEpisodeMetadata(path, table.schema.metadata);
  const columns = new EpisodeColumns(path, table);
  const hasObservations = leavesOf(metadata.observationSpace, ROOT).every(({ name }) => columns.has(name));
  const episodes = Array.from({ length: table.numRows }, (_, row): RecordedEpisode => {
    const [actors, actions, seconds, rewards, terminations, truncations] = LISTS.map(([name, dtype]) =>
      columns.list(name, dtype, row),
    ) as [Uint8Array, Int32Array, Float64Array, Float64Array, Uint8Array, Uint8Array];
    const steps = actions.length;
    for (const list of [actors, seconds, terminations, truncations]) {
      checkLength(path, { name: 'each list' }, [list.length, steps]);
    }
    checkLength(path, { name: 'rewards' }, [rewards.length, steps * facts.agents.length]);
    const seed = columns.value('seed', 'Uint64', row) as bigint | null;
    return {
      id: columns.value('id', 'Uint32', row) as number,
      seed: seed === null ? null : Number(seed),
      position: columns.value('position', 'Utf8', row) as string | null,
      moves: columns.value('moves', 'Utf8', row) as string | null,
      spec: facts.spec,
      agents: facts.agents,
      actors,
      actions,
      seconds,
      rewards,
      terminations,
      truncations,
      observations: hasObservations
        ? readObservations({ metadata }, columns, { row, count: steps + 1, path })
        : null,
    };
  });
  return { metadata, episodes };
}
