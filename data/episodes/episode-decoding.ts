import type { RecordedEpisode } from '../../env/environments/wrappers/record-episodes.js';
import { createBatch, sampleOfBatch } from '../../env/spaces/batch.js';
import type { NumberArray } from '../../env/spaces/dtype.js';
import type { Space } from '../../env/spaces/space.js';
import { DataError } from '../data-error.js';
import { batchOf, decodeArrow, type ItemType, listTypeName } from '../files/arrow-file.js';
import type { Data, List, RecordBatch, Table, Vector } from '../files/arrow-library.js';
import { type EpisodeDataset, LIST_COLUMNS, OBSERVATIONS, VALUE_COLUMNS } from './episode-columns.js';
import { arrayOfLeaf, leavesOf } from './episode-leaves.js';
import { parseEpisodeMetadata } from './episode-metadata.js';

type ValueName = (typeof VALUE_COLUMNS)[number]['name'];
type ListName = (typeof LIST_COLUMNS)[number]['name'];

/** The columns of a file, by name. Methods throw DataError `episode-format`. */
class EpisodeColumns {
  private readonly path: string;
  private readonly batch: RecordBatch;

  constructor(path: string, table: Table) {
    this.path = path;
    this.batch = batchOf(path, table, 'episode-format');
  }

  has(name: string): boolean {
    return this.batch.schema.fields.some((field) => field.name === name);
  }

  /** The columns with one value an episode, in `row`. */
  values(row: number): Readonly<Record<ValueName, unknown>> {
    const values = VALUE_COLUMNS.map(({ name, type }): [string, unknown] => [
      name,
      this.column(name, type).get(row),
    ]);
    return Object.fromEntries(values) as Readonly<Record<ValueName, unknown>>;
  }

  /** The columns with a list an episode, in `row`. */
  lists(row: number): Pick<RecordedEpisode, ListName> {
    const lists = LIST_COLUMNS.map(({ name, items }) => [name, this.list(name, items, row)]);
    return Object.fromEntries(lists) as Pick<RecordedEpisode, ListName>;
  }

  /** A list of numbers, copied; bits as 0 and 1. */
  list(name: string, items: ItemType, row: number): NumberArray {
    const { data } = this.column(name, listTypeName(items));
    const [column] = data as unknown as readonly [Data<List>];
    const valueOffsets = column.valueOffsets as Int32Array;
    const values = column.children[0]!.values as NumberArray;
    const [start, end] = [valueOffsets[row]!, valueOffsets[row + 1]!];
    const available = items === 'bit' ? values.length * 8 : values.length;
    if (start < 0 || start > end || end > available) {
      throw new DataError('episode-format', `${this.path} has lists of ${name} beyond their end`);
    }
    if (items !== 'bit') return values.slice(start, end);
    return Uint8Array.from({ length: end - start }, (_, index) => {
      return (values[(start + index) >> 3]! >> ((start + index) & 7)) & 1;
    });
  }

  /** Checks the length of a list of column `name`. */
  checkLength(name: string, found: number, expected: number): void {
    if (found === expected) return;
    const message = `expected ${expected} numbers of ${name} in ${this.path}, found ${found}`;
    throw new DataError('episode-format', message);
  }

  private column(name: string, type: string): Vector {
    const column = this.batch.getChild(name);
    if (column !== null && String(column.type) === type) return column;
    const found = column === null ? 'none' : String(column.type);
    throw new DataError(
      'episode-format',
      `expected a column ${name}: ${type} in ${this.path}, found ${found}`,
    );
  }
}

/** The `count` observations of the episode in `row`. */
function readObservations(
  columns: EpisodeColumns,
  space: Space,
  row: number,
  count: number,
): readonly unknown[] {
  const batch = createBatch(space, count);
  for (const leaf of leavesOf(space, OBSERVATIONS)) {
    const list = columns.list(leaf.name, leaf.items, row);
    columns.checkLength(leaf.name, list.length, count * leaf.size);
    arrayOfLeaf(leaf, batch).set(list);
  }
  return Array.from({ length: count }, (_, index) => sampleOfBatch(space, batch, index));
}

/**
 * Reads what `encodeEpisodes` wrote, copied.
 *
 * Pass only bytes that a checksum vouches for, as `readEpisodes` does: see `decodeArrow`.
 *
 * @param path for messages.
 * @throws DataError `episode-format`, `episode-too-new`.
 */
export function decodeEpisodes(path: string, bytes: Uint8Array): EpisodeDataset {
  const table = decodeArrow(path, bytes, 'episode-format');
  const { metadata, facts } = parseEpisodeMetadata(path, table.schema.metadata);
  const columns = new EpisodeColumns(path, table);
  const space = metadata.observationSpace;
  const hasObservations = leavesOf(space, OBSERVATIONS).every(({ name }) => columns.has(name));
  const episodes = Array.from({ length: table.numRows }, (_, row): RecordedEpisode => {
    const lists = columns.lists(row);
    const steps = lists.actions.length;
    for (const { name } of LIST_COLUMNS) {
      columns.checkLength(name, lists[name].length, name === 'rewards' ? steps * facts.agents.length : steps);
    }
    const { seed, ...values } = columns.values(row);
    return {
      ...(values as Pick<RecordedEpisode, 'id' | 'position' | 'moves'>),
      seed: seed === null ? null : Number(seed),
      spec: facts.spec,
      agents: facts.agents,
      ...lists,
      observations: hasObservations ? readObservations(columns, space, row, steps + 1) : null,
    };
  });
  return { metadata, episodes };
}
