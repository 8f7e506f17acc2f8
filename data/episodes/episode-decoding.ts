import type { RecordedEpisode } from '../../env/environments/wrappers/record-episodes.js';
import { SpaceError } from '../../env/errors.js';
import { createBatch, sampleOfBatch } from '../../env/spaces/batch.js';
import type { NumberArray } from '../../env/spaces/dtype.js';
import { assertContains, type Space } from '../../env/spaces/space.js';
import { DataError } from '../data-error.js';
import { type ArrowBatch, type ArrowValues, isNullAt } from '../files/arrow-batch.js';
import { type ArrowFile, openArrow } from '../files/arrow-reading.js';
import { type ItemType, listTypeName } from '../files/arrow-types.js';
import {
  type EpisodeDataset,
  isReward,
  LIST_COLUMNS,
  OBSERVATIONS,
  VALUE_COLUMNS,
} from './episode-columns.js';
import { arrayOfLeaf, leavesOf } from './episode-leaves.js';
import { type EpisodeFacts, parseEpisodeMetadata } from './episode-metadata.js';

type ValueName = (typeof VALUE_COLUMNS)[number]['name'];
type ListName = (typeof LIST_COLUMNS)[number]['name'];

/** Decodes texts, which must be valid UTF-8. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** The columns of a file, by name. Methods throw DataError `episode-format`. */
class EpisodeColumns {
  readonly rows: number;
  private readonly path: string;
  private readonly batch: ArrowBatch;

  constructor(path: string, batch: ArrowBatch) {
    this.rows = batch.rows;
    this.path = path;
    this.batch = batch;
  }

  /** The columns with one value an episode, in `row`. */
  values(row: number): Readonly<Record<ValueName, number | bigint | string | null>> {
    const values = VALUE_COLUMNS.map(({ name, type, isNullable }) => {
      const column = this.column(name);
      if (!isNullAt(column, row)) return [name, type === 'Utf8' ? this.text(name, row) : column.values[row]!];
      return isNullable ? [name, null] : this.refuse(`a null in ${name}`);
    });
    return Object.fromEntries(values) as Readonly<Record<ValueName, number | bigint | string | null>>;
  }

  /** The columns with a list an episode, in `row`. */
  lists(row: number): Pick<RecordedEpisode, ListName> {
    const lists = LIST_COLUMNS.map(({ name, items }) => [name, this.list(name, items, row)]);
    return Object.fromEntries(lists) as Pick<RecordedEpisode, ListName>;
  }

  /** A list of numbers, copied; bits as 0 and 1. */
  list(name: string, items: ItemType, row: number): NumberArray {
    const [start, end] = this.bounds(name, row);
    const values = this.column(name).values as NumberArray;
    if (items !== 'bit') return values.slice(start, end);
    return Uint8Array.from({ length: end - start }, (_, index) => {
      return (values[(start + index) >> 3]! >> ((start + index) & 7)) & 1;
    });
  }

  /** Checks the length of a list of column `name`. */
  checkLength(name: string, row: number, expected: number): void {
    const [start, end] = this.bounds(name, row);
    if (end - start !== expected)
      this.refuse(`${end - start} numbers of ${name} where ${expected} are needed`);
  }

  refuse(problem: string, cause?: unknown): never {
    throw new DataError('episode-format', `${this.path} has ${problem}`, { cause });
  }

  private text(name: string, row: number): string {
    const [start, end] = this.bounds(name, row);
    try {
      return UTF_8.decode((this.column(name).values as Uint8Array).subarray(start, end));
    } catch (cause) {
      return this.refuse(`a text of ${name} that is not UTF-8`, cause);
    }
  }

  private bounds(name: string, row: number): readonly [number, number] {
    const { offsets } = this.column(name);
    return [offsets![row]!, offsets![row + 1]!];
  }

  private column(name: string): ArrowValues {
    return this.batch.columns.get(name)!;
  }
}

/**
 * Checks that a file has exactly the columns of episodes, with the leaves of `space` or without observations.
 *
 * @returns whether it has observations.
 */
function checkFields(path: string, { fields }: ArrowFile, space: Space): boolean {
  const found = fields.map(({ name, layout }) => `${name}: ${layout.name}`).join(', ');
  const listOf = ({ name, items }: { readonly name: string; readonly items: ItemType }): string =>
    `${name}: ${listTypeName(items)}`;
  const plain = [...VALUE_COLUMNS.map(({ name, type }) => `${name}: ${type}`), ...LIST_COLUMNS.map(listOf)];
  const observed = [...plain, ...leavesOf(space, OBSERVATIONS).map(listOf)].join(', ');
  if (found === observed) return true;
  if (found === plain.join(', ')) return false;
  throw new DataError('episode-format', `expected the columns ${observed} in ${path}, found ${found}`);
}

/** The `count` observations of the episode in `row`. */
function readObservations(
  columns: EpisodeColumns,
  space: Space,
  row: number,
  count: number,
): readonly unknown[] {
  const leaves = leavesOf(space, OBSERVATIONS);
  // Checked before allocating memory: the space may announce more numbers than the file has.
  for (const { name, size } of leaves) columns.checkLength(name, row, count * size);
  const batch = createBatch(space, count);
  for (const leaf of leaves) arrayOfLeaf(leaf, batch).set(columns.list(leaf.name, leaf.items, row));
  return Array.from({ length: count }, (_, index) => {
    const observation = sampleOfBatch(space, batch, index);
    try {
      assertContains(space, observation, [OBSERVATIONS, index]);
    } catch (error) {
      if (!(error instanceof SpaceError)) throw error;
      columns.refuse(`an observation outside its space in row ${row}: ${error.message}`, error);
    }
    return observation;
  });
}

/** The lists of the episode in `row`, checked. */
function readLists(
  columns: EpisodeColumns,
  row: number,
  { agents }: EpisodeFacts,
): Pick<RecordedEpisode, ListName> {
  const lists = columns.lists(row);
  const steps = lists.actions.length;
  for (const { name } of LIST_COLUMNS) {
    columns.checkLength(name, row, name === 'rewards' ? steps * agents.length : steps);
  }
  const actor = lists.actors.find((each) => each >= agents.length);
  if (actor !== undefined) columns.refuse(`actor ${actor} of ${agents.length} in row ${row}`);
  const reward = lists.rewards.find((each) => !isReward(each));
  if (reward !== undefined) columns.refuse(`a reward of ${reward} in row ${row}`);
  const seconds = lists.seconds.find((each) => !(each >= 0 && each < Infinity));
  if (seconds !== undefined) columns.refuse(`a step of ${seconds} s in row ${row}`);
  return lists;
}

function readSeed(columns: EpisodeColumns, row: number, seed: bigint | null): number | null {
  if (seed === null) return null;
  const number = Number(seed);
  return Number.isSafeInteger(number) ? number : columns.refuse(`seed ${seed} in row ${row}`);
}

/**
 * Decodes the bytes of `encodeEpisodes` into new arrays. Trusts nothing: the file may be malicious.
 *
 * @param path for messages.
 * @throws DataError `episode-format`, `episode-too-new`.
 */
export function decodeEpisodes(path: string, bytes: Uint8Array): EpisodeDataset {
  const file = openArrow(path, bytes, 'episode-format');
  const { metadata, facts } = parseEpisodeMetadata(path, file.metadata);
  const space = metadata.observationSpace;
  const hasObservations = checkFields(path, file, space);
  const columns = new EpisodeColumns(path, file.readBatch());
  if (columns.rows !== facts.totalEpisodes)
    columns.refuse(`${columns.rows} of ${facts.totalEpisodes} episodes`);
  let totalSteps = 0;
  const episodes = Array.from({ length: columns.rows }, (_, row): RecordedEpisode => {
    const lists = readLists(columns, row, facts);
    const steps = lists.actions.length;
    totalSteps += steps;
    const { seed, ...values } = columns.values(row);
    return {
      ...(values as Pick<RecordedEpisode, 'id' | 'position' | 'moves'>),
      seed: readSeed(columns, row, seed as bigint | null),
      spec: facts.spec,
      agents: facts.agents,
      ...lists,
      observations: hasObservations ? readObservations(columns, space, row, steps + 1) : null,
    };
  });
  if (totalSteps !== facts.totalSteps) columns.refuse(`${totalSteps} of ${facts.totalSteps} steps`);
  return { metadata, episodes };
}
