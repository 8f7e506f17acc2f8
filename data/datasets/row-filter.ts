import { mixBits } from '../../env/random.js';
import { DataError } from '../data-error.js';
import { NO_RESULT, sampleOf, type ShardColumns } from '../shards/shard-columns.js';
import type { DecodedShard } from '../shards/shard-encoding.js';
import type { Sample } from '../shards/sample.js';
import type { ShardMetadata } from '../shards/shard-metadata.js';

/** What a row says of the fields that conditions may name. */
const FIELDS: Readonly<Record<string, (shard: DecodedShard, row: number) => number>> = {
  generation: ({ metadata }) => metadata.generation,
  seed: ({ metadata }) => metadata.seed,
  gameId: ({ columns }, row) => columns.gameIds[row]!,
  player: ({ columns }, row) => columns.players[row]!,
  ply: ({ columns }, row) => columns.plies[row]!,
  pliesLeft: ({ columns }, row) => columns.pliesLeft[row]!,
  legalActions: ({ columns }, row) => columns.actionStart[row + 1]! - columns.actionStart[row]!,
  searchSize: ({ columns }, row) => columns.searchSizes[row]!,
  policyWeight: ({ columns }, row) => columns.policyWeights[row]!,
  /** NaN where there is none: in no range. */
  rootValue: ({ columns }, row) => columns.rootValues[row]!,
  result: ({ columns }, row) => columns.results[row]!,
};

/** The fields that conditions may name. */
export const FILTER_FIELDS: readonly string[] = Object.keys(FIELDS);

/** Words for results, to the player to move. */
const RESULTS: Readonly<Record<string, number>> = { won: 1, drawn: 0, lost: -1, none: NO_RESULT };

/** Which rows of shards are meant. */
export interface RowFilter {
  /** Conditions as they were given; all hold for a row that is kept. */
  readonly where: readonly string[];
  /** Share of these rows, in [0, 1], drawn by what a row is: the same ones in whatever order. */
  readonly sample: number;
  /** Decides which rows are drawn. */
  readonly seed: number;
}

/** Every row. */
export const ALL_ROWS: RowFilter = { where: [], sample: 1, seed: 1 };

type Range = readonly [least: number, greatest: number];

function parseBound(text: string, otherwise: number): number | null {
  if (text === '') return otherwise;
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : null;
}

function parseRange(field: string, text: string): Range | null {
  if (field === 'result') {
    const result = Object.hasOwn(RESULTS, text) ? RESULTS[text]! : null;
    return result === null ? null : [result, result];
  }
  const [first = '', last = first, ...more] = text.split('..');
  const [least, greatest] = [parseBound(first, -Infinity), parseBound(last, Infinity)];
  const isRange =
    more.length === 0 &&
    least !== null &&
    greatest !== null &&
    text !== '' &&
    text !== '..' &&
    least <= greatest;
  return isRange ? [least, greatest] : null;
}

type Test = (shard: DecodedShard, row: number) => boolean;

function parseCondition(condition: string): Test {
  const [, field = '', values = ''] = /^(\w+)=(.+)$/.exec(condition) ?? [];
  const read = Object.hasOwn(FIELDS, field) ? FIELDS[field]! : null;
  const ranges = values.split(',').map((text) => parseRange(field, text));
  if (read === null || ranges.includes(null)) {
    const form =
      'FIELD=VALUE,… with VALUE a number, LEAST..GREATEST (LEAST at most GREATEST), or for result won, drawn, lost, none';
    throw new DataError(
      'dataset-filter',
      `expected ${form}; FIELD one of ${FILTER_FIELDS.join(', ')}; got '${condition}'`,
    );
  }
  return (shard, row) => {
    const value = read(shard, row);
    return ranges.some((range) => value >= range![0] && value <= range![1]);
  };
}

/** A number in [0, 1) that depends on all of `numbers`, which are whole and from 0 to 2^53 - 1, and on nothing else. */
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
 * What picks the rows of a shard that a filter keeps, ascending.
 *
 * @throws DataError `dataset-filter` for a condition that cannot be read, or a share outside [0, 1].
 */
export function compileFilter(filter: RowFilter): (shard: DecodedShard) => readonly number[] {
  const tests = filter.where.map(parseCondition);
  if (!(filter.sample >= 0 && filter.sample <= 1)) {
    throw new DataError('dataset-filter', `expected a share of the rows from 0 to 1, got ${filter.sample}`);
  }
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

/** These rows of a shard, copied, with every column that a shard has. */
export function samplesOf(columns: ShardColumns, rows: readonly number[]): readonly Sample[] {
  return rows.map((row) => sampleOf(columns, row));
}
