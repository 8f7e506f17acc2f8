import { mixBits } from '../../env/random.js';
import { DataError } from '../data-error.js';
import { isNullable, NUMBER_COLUMNS } from '../shards/column-table.js';
import { sampleOf, type ShardColumns } from '../shards/shard-columns.js';
import type { DecodedShard } from '../shards/shard-encoding.js';
import type { Sample } from '../shards/sample.js';
import type { ShardMetadata } from '../shards/shard-metadata.js';
import { suggestName } from '../../env/text/nearest-name.js';
import { quote } from '../../env/text/quoted-text.js';

/** Reads a field of a row; NaN where it is null. */
type FieldReader = (shard: DecodedShard, row: number) => number;

function columnReader({ key, absent }: (typeof NUMBER_COLUMNS)[number]): FieldReader {
  return ({ columns }, row) => {
    const value = columns[key][row]!;
    return value === absent ? NaN : value;
  };
}

/** The fields that conditions may name: metadata, and every column with one number a row. */
const FIELDS: Readonly<Record<string, FieldReader>> = {
  generation: ({ metadata }) => metadata.generation,
  seed: ({ metadata }) => metadata.seed,
  legalActions: ({ columns }, row) => columns.actionStart[row + 1]! - columns.actionStart[row]!,
  ...Object.fromEntries(NUMBER_COLUMNS.map((column) => [column.name, columnReader(column)])),
};

/** The fields that conditions may name. */
export const FILTER_FIELDS: readonly string[] = Object.keys(FIELDS);

const NULLABLE_FIELDS = NUMBER_COLUMNS.filter(isNullable).map(({ name }): string => name);

/** Words for results, to the player to move. */
const RESULTS: Readonly<Record<string, number>> = { won: 1, drawn: 0, lost: -1 };

/** A selection of rows of shards. */
export interface RowFilter {
  /** Conditions as the user wrote them; a selected row fulfils all of them. */
  readonly where: readonly string[];
  /**
   * Share of the rows that fulfil them, in [0, 1]. The sample depends on `seed` and the rows themselves, not on their
   * order.
   */
  readonly sample: number;
  /** Seed of the sample. */
  readonly seed: number;
}

/** Every row. */
export const ALL_ROWS: RowFilter = { where: [], sample: 1, seed: 1 };

function parseBound(text: string, otherwise: number): number | null {
  if (text === '') return otherwise;
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : null;
}

type Match = (value: number) => boolean;

function parseRange(text: string): Match | null {
  const [first = '', last = first, ...more] = text.split('..');
  const [least, greatest] = [parseBound(first, -Infinity), parseBound(last, Infinity)];
  if (more.length > 0 || text === '' || text === '..') return null;
  if (least === null || greatest === null) return null;
  if (least > greatest) {
    throw new DataError(
      'dataset-filter',
      `expected LEAST..GREATEST, the smaller number first, got ${quote(text)}`,
    );
  }
  return (value) => value >= least && value <= greatest;
}

function parseValue(field: string, text: string): Match | null {
  if (text === 'none' && NULLABLE_FIELDS.includes(field)) return Number.isNaN;
  if (field !== 'result') return parseRange(text);
  const result = Object.hasOwn(RESULTS, text) ? RESULTS[text] : undefined;
  return result === undefined ? null : (value) => value === result;
}

type Test = (shard: DecodedShard, row: number) => boolean;

function parseCondition(condition: string): Test {
  const [, field = '', values = ''] = /^(\w+)=(.+)$/.exec(condition) ?? [];
  const read = Object.hasOwn(FIELDS, field) ? FIELDS[field]! : null;
  const matches = values.split(',').map((text) => parseValue(field, text));
  if (read === null || matches.includes(null)) {
    const end = read === null ? suggestName(/^\w*/.exec(condition)![0], FILTER_FIELDS) : '';
    const form =
      'FIELD=VALUE,… with VALUE a number, LEAST..GREATEST, for result won, drawn or lost, ' +
      `or none for a null of ${NULLABLE_FIELDS.join(', ')}`;
    throw new DataError(
      'dataset-filter',
      `expected ${form}; FIELD one of ${FILTER_FIELDS.join(', ')}; got ${quote(condition)}${end}`,
    );
  }
  return (shard, row) => {
    const value = read(shard, row);
    return matches.some((match) => match!(value));
  };
}

/** @throws DataError `dataset-filter` for a seed that `hashShare` would not tell from others. */
export function expectSampleSeed(seed: number): void {
  if (Number.isSafeInteger(seed) && seed >= 0) return;
  throw new DataError('dataset-filter', `expected a seed from 0 to ${Number.MAX_SAFE_INTEGER}, got ${seed}`);
}

/** A pseudo-random number in [0, 1) that depends on `numbers` alone: integers from 0 to 2^53 - 1. */
export function hashShare(...numbers: readonly number[]): number {
  let hash = 0;
  for (const number of numbers) {
    hash = mixBits((hash + 0x9e3779b9) ^ number);
    hash = mixBits((hash + 0x9e3779b9) ^ Math.floor(number / 2 ** 32));
  }
  return (hash >>> 0) / 2 ** 32;
}

function rowShare(filter: RowFilter, metadata: ShardMetadata, columns: ShardColumns, row: number): number {
  return hashShare(
    filter.seed,
    metadata.seed,
    metadata.generation,
    columns.gameIds[row]!,
    columns.plies[row]!,
  );
}

/** Whether the filter keeps every row. */
export function keepsAll({ where, sample }: RowFilter): boolean {
  return where.length === 0 && sample >= 1;
}

/**
 * Returns a function that selects the rows of a shard that a filter keeps, ascending.
 *
 * @throws DataError `dataset-filter` for a condition that cannot be read, a sample outside [0, 1], or a seed that is not
 *   an integer from 0 to 2^53 - 1.
 */
export function compileFilter(filter: RowFilter): (shard: DecodedShard) => readonly number[] {
  const tests = filter.where.map(parseCondition);
  if (!(filter.sample >= 0 && filter.sample <= 1)) {
    throw new DataError('dataset-filter', `expected a share of the rows from 0 to 1, got ${filter.sample}`);
  }
  expectSampleSeed(filter.seed);
  return (shard) => {
    const { metadata, columns } = shard;
    const rows: number[] = [];
    for (let row = 0; row < columns.rows; row++) {
      if (!tests.every((test) => test(shard, row))) continue;
      if (filter.sample < 1 && rowShare(filter, metadata, columns, row) >= filter.sample) continue;
      rows.push(row);
    }
    return rows;
  };
}

/** These rows of a shard, copied, with all columns. */
export function samplesOf(columns: ShardColumns, rows: readonly number[]): readonly Sample[] {
  return rows.map((row) => sampleOf(columns, row));
}
