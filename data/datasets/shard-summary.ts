import { DataError } from '../data-error.js';
import { Histogram, type HistogramSummary } from '../histogram.js';
import {
  isNullable,
  NO_RESULT,
  NUMBER_COLUMNS,
  type NumberColumn,
  SHARD_COLUMNS,
  typeName,
} from '../shards/column-table.js';
import { lastRows, nullTest, playerOf, type ShardColumns } from '../shards/shard-columns.js';
import { addPositions, DistinctCounter } from './distinct-counter.js';
import { SHARD_VERSION, type ShardMetadata } from '../shards/shard-metadata.js';
import type { ShardFile } from '../shards/shard.js';

/** Metadata that all shards of a dataset share. */
export type DatasetGame = Pick<ShardMetadata, 'game' | 'rules' | 'rulesVersion' | 'encodingVersion'>;

/** Numbers of rows or games by result. */
export interface ResultCounts {
  readonly won: number;
  readonly drawn: number;
  readonly lost: number;
  /** Without a result: of a truncated game, or before a random move of self-play. */
  readonly none: number;
}

/** Counts of one generation; 0 also counts games without a network. */
export interface GenerationCounts {
  readonly generation: number;
  readonly shards: number;
  readonly rows: number;
  readonly games: number;
}

/** Distributions that do not belong to one column: of rows, but `gamePlies` of games; entropies in nats. */
const DERIVED_HISTOGRAMS = {
  gamePlies: { width: 1, title: 'plies of games' },
  legalActions: { width: 1, title: 'legal actions of rows' },
  policyEntropy: { width: 1 / 64, title: 'entropy of the policy in nats' },
} as const;

/** The columns with a distribution; nulls are left out. */
const DRAWN_COLUMNS = NUMBER_COLUMNS.filter(({ histogram }) => histogram !== undefined);

/** Distributions in a summary: those of columns, by the column's name, and others. */
export type HistogramName =
  Extract<NumberColumn, { readonly histogram: unknown }>['name'] | keyof typeof DERIVED_HISTOGRAMS;

/** Bin width and title of each distribution. */
export const HISTOGRAMS = {
  ...Object.fromEntries(DRAWN_COLUMNS.map(({ name, histogram }) => [name, histogram!])),
  ...DERIVED_HISTOGRAMS,
} as Readonly<Record<HistogramName, { readonly width: number; readonly title: string }>>;

function forEachHistogram<Made>(make: (name: HistogramName) => Made): Record<HistogramName, Made> {
  const names = Object.keys(HISTOGRAMS) as HistogramName[];
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<HistogramName, Made>;
}

/** Counts of one or more shards of the same game; plain JSON. */
export interface ShardsSummary extends DatasetGame {
  readonly shards: number;
  /** Total size of the Arrow files. */
  readonly bytes: number;
  readonly rows: number;
  /** Distinct positions of the rows: exact up to 65,536, beyond that to about 0.5 %. */
  readonly distinctPositions: number;
  /** Distinct game ids of each shard; a game in two shards counts twice. */
  readonly games: number;
  readonly shardVersion: number;
  readonly softwareVersions: readonly string[];
  readonly seeds: readonly number[];
  /** Number of distinct settings and networks that played. */
  readonly configDigests: number;
  readonly generations: readonly GenerationCounts[];
  /** The columns of the files, with their types by Arrow's names. */
  readonly schema: readonly { readonly name: string; readonly type: string; readonly nullable: boolean }[];
  /** Numbers of rows with player 0 and with player 1 to move. */
  readonly players: readonly [number, number];
  /** Rows by their result to the player to move. */
  readonly rowResults: ResultCounts;
  /** Games by their result to player 0. */
  readonly gameResults: ResultCounts;
  /** Rows whose policy is learned. */
  readonly policyRows: number;
  /** Rows that were searched: with a root value. */
  readonly searchedRows: number;
  /** Legal actions of all rows together. */
  readonly actions: number;
  readonly histograms: Readonly<Record<HistogramName, HistogramSummary>>;
}

class ResultCounter {
  private readonly counts = { won: 0, drawn: 0, lost: 0, none: 0 };

  add(result: number): void {
    const { counts } = this;
    if (result === NO_RESULT) counts.none += 1;
    else if (result === 0) counts.drawn += 1;
    else if (result > 0) counts.won += 1;
    else counts.lost += 1;
  }

  summary(): ResultCounts {
    return { ...this.counts };
  }
}

/** -sum of p ln p over `policies[start … end)`, in nats. */
function policyEntropy(policies: Float32Array, start: number, end: number): number {
  let sum = 0;
  for (let index = start; index < end; index++) {
    const share = policies[index]!;
    if (share > 0) sum -= share * Math.log(share);
  }
  return sum;
}

function sorted<T extends string | number>(values: ReadonlySet<T>): T[] {
  return [...values].sort((a, b) => (a < b ? -1 : 1));
}

/** Counts the content of shards, one at a time. Memory does not grow with the rows. */
export class ShardsSummarizer {
  private game: DatasetGame | undefined;
  private firstPath = '';
  private schema: ShardsSummary['schema'] = [];
  private readonly counts = {
    shards: 0,
    bytes: 0,
    rows: 0,
    games: 0,
    policyRows: 0,
    searchedRows: 0,
    actions: 0,
  };
  private readonly positions = new DistinctCounter();
  private readonly players: [number, number] = [0, 0];
  private readonly rowResults = new ResultCounter();
  private readonly gameResults = new ResultCounter();
  private readonly softwareVersions = new Set<string>();
  private readonly seeds = new Set<number>();
  private readonly configDigests = new Set<string>();
  private readonly generations = new Map<number, { shards: number; rows: number; games: number }>();
  private readonly histograms = forEachHistogram((name) => new Histogram(HISTOGRAMS[name].width));

  /**
   * Counts one shard.
   *
   * @throws DataError `dataset-mixed` if its game, rules or encoding differ from those of the first shard.
   */
  add(path: string, { metadata, columns, bytes }: Pick<ShardFile, 'metadata' | 'columns' | 'bytes'>): void {
    this.checkGame(path, metadata);
    this.schema = SHARD_COLUMNS.map((column) => {
      return {
        name: column.name,
        type: typeName(column, columns.positionSize),
        nullable: isNullable(column),
      };
    });
    this.softwareVersions.add(metadata.softwareVersion);
    this.seeds.add(metadata.seed);
    this.configDigests.add(metadata.configDigest);
    const games = this.addGames(columns);
    this.addRows(columns);
    const generation = this.generations.get(metadata.generation) ?? { shards: 0, rows: 0, games: 0 };
    this.generations.set(metadata.generation, {
      shards: generation.shards + 1,
      rows: generation.rows + columns.rows,
      games: generation.games + games,
    });
    this.counts.shards += 1;
    this.counts.bytes += bytes.length;
    this.counts.rows += columns.rows;
    this.counts.games += games;
  }

  /** @throws DataError `dataset-empty` if no shard was added. */
  summary(): ShardsSummary {
    if (this.game === undefined) throw new DataError('dataset-empty', 'expected shards, found none');
    return {
      ...this.game,
      ...this.counts,
      distinctPositions: this.positions.count,
      shardVersion: SHARD_VERSION,
      softwareVersions: sorted(this.softwareVersions),
      seeds: sorted(this.seeds),
      configDigests: this.configDigests.size,
      generations: [...this.generations]
        .sort(([a], [b]) => a - b)
        .map(([generation, counts]) => ({ generation, ...counts })),
      schema: this.schema,
      players: [...this.players],
      rowResults: this.rowResults.summary(),
      gameResults: this.gameResults.summary(),
      histograms: forEachHistogram((name) => this.histograms[name].summary()),
    };
  }

  private checkGame(path: string, { game, rules, rulesVersion, encodingVersion }: ShardMetadata): void {
    if (this.game === undefined) {
      this.game = { game, rules, rulesVersion, encodingVersion };
      this.firstPath = path;
    }
    checkSameGame(
      { path: this.firstPath, ...this.game },
      { path, game, rules, rulesVersion, encodingVersion },
    );
  }

  private addGames(columns: ShardColumns): number {
    const { players, plies, pliesLeft, results } = columns;
    const games = lastRows(columns);
    for (const row of games.values()) {
      const result = results[row]!;
      this.gameResults.add(result === NO_RESULT || players[row] === 0 ? result : -result);
      this.histograms.gamePlies.add(plies[row]! + pliesLeft[row]!);
    }
    return games.size;
  }

  private addRows(columns: ShardColumns): void {
    const { histograms, counts } = this;
    const { rows, actionStart, policies, policyWeights, rootValues } = columns;
    addPositions(this.positions, columns);
    for (let row = 0; row < rows; row++) {
      const [start, end] = [actionStart[row]!, actionStart[row + 1]!];
      this.players[playerOf(columns, row)] += 1;
      this.rowResults.add(columns.results[row]!);
      histograms.legalActions.add(end - start);
      histograms.policyEntropy.add(policyEntropy(policies, start, end));
      if (!Number.isNaN(rootValues[row]!)) counts.searchedRows += 1;
      if (policyWeights[row]! > 0) counts.policyRows += 1;
      counts.actions += end - start;
    }
    for (const column of DRAWN_COLUMNS) this.addColumn(columns, column);
  }

  private addColumn(columns: ShardColumns, column: (typeof DRAWN_COLUMNS)[number]): void {
    const histogram = this.histograms[column.name as HistogramName];
    const isNull = nullTest(columns, column);
    for (const [row, value] of columns[column.key].entries()) {
      if (isNull?.(row) !== true) histogram.add(value);
    }
  }
}

/** @throws DataError `dataset-mixed` unless two shards have the same game, rules and encoding. */
export function checkSameGame(
  first: DatasetGame & { readonly path: string },
  other: DatasetGame & { readonly path: string },
): void {
  for (const key of ['game', 'rules', 'rulesVersion', 'encodingVersion'] as const) {
    if (first[key] === other[key]) continue;
    throw new DataError(
      'dataset-mixed',
      `expected shards of one game: ${first.path} has ${key} ${first[key]}, ${other.path} has ${other[key]}`,
    );
  }
}
