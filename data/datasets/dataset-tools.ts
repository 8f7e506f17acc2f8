import { basename, resolve } from 'node:path';
import { readDatasetCard } from './dataset-card-file.js';
import type { DatasetOrigin, Provenance } from './dataset-card.js';
import { expectDatasetShards } from './dataset-folder.js';
import { type DatasetWriter, writeDatasets } from './dataset-writer.js';
import { DataError } from '../data-error.js';
import { GameRegister } from './game-register.js';
import {
  compileFilter,
  expectSampleSeed,
  hashShare,
  keepsAll,
  type RowFilter,
  samplesOf,
} from './row-filter.js';
import { sha256 } from '../files/sealed-json.js';
import type { Sample } from '../shards/sample.js';
import { type ListingObserver, readShardFile, type ShardFile } from '../shards/shard.js';
import { quote } from '../../env/text/quoted-text.js';

/** A request for a new dataset made from rows of others. */
export interface DatasetRequest extends ListingObserver {
  /** Sources: folders of shards, or single shards. */
  readonly sources: readonly string[];
  /** Folder of the new dataset; must not exist yet. */
  readonly out: string;
  readonly filter: RowFilter;
  readonly softwareVersion: string;
  /** Called with the id of each shard's game. */
  readonly onGame?: ((id: string) => void) | undefined;
  /** Called with the number of shards done, which may have a fraction for the one in progress. */
  readonly onShard?: ((done: number, total: number) => void) | undefined;
}

/** A shard of a source, and the rows that the filter keeps. */
export interface SourceShard {
  readonly path: string;
  readonly shard: ShardFile;
  readonly rows: readonly number[];
  /** To be called with the share of the shard that is done, if that takes long. */
  readonly onShare: (share: number) => void;
}

/**
 * Reads the shards of the sources in order and checks that all are of the same game and that no game occurs twice.
 *
 * @returns the provenance of the rows.
 * @throws DataError as `expectDatasetShards` and `readShardFile`; `dataset-mixed`, `dataset-duplicate`,
 *   `dataset-filter`.
 */
export async function readSources(
  { sources, filter, onGame, onShard, onUnfinished }: Omit<DatasetRequest, 'out' | 'softwareVersion'>,
  use: (source: SourceShard) => Promise<void>,
): Promise<Provenance['sources']> {
  const select = compileFilter(filter);
  const lists = await Promise.all(sources.map((path) => expectDatasetShards(path, { onUnfinished })));
  const total = lists.reduce((sum, paths) => sum + paths.length, 0);
  const games = new GameRegister();
  const origins: Provenance['sources'] = [];
  let done = 0;
  for (const [index, paths] of lists.entries()) {
    const name = sources[index]!;
    const digests: string[] = [];
    let rows = 0;
    for (const path of paths) {
      const shard = await readShardFile(path);
      games.add(path, shard);
      onGame?.(shard.metadata.game);
      digests.push(...Object.values(shard.manifest.files).map((file) => file.sha256));
      rows += shard.columns.rows;
      const onShare = (share: number): void => onShard?.(done + share, total);
      await use({ path, shard, rows: select(shard), onShare });
      onShard?.(++done, total);
    }
    origins.push({ name: basename(resolve(name)), rows, sha256: sha256(digests.join('')) });
  }
  return origins;
}

/** The description of a new dataset: its source's, if it has only one. */
async function wordsOf(sources: readonly string[]): Promise<DatasetOrigin['words']> {
  const [only, ...more] = sources;
  if (only === undefined || more.length > 0 || only.endsWith('.arrow')) return {};
  const words = (await readDatasetCard(only))?.words ?? {};
  // The source's id identifies other rows.
  return { ...words, datasetId: undefined };
}

/** The filter as options in the card; empty if it keeps all rows. */
function filterOptions({ where, sample, seed }: RowFilter): Provenance['options'] {
  return { ...(where.length > 0 && { where: [...where] }), ...(sample < 1 && { sample, seed }) };
}

/** An operation that changes or distributes rows. */
interface Conversion {
  readonly operation: string;
  readonly options: Provenance['options'];
  readonly parts: readonly string[];
  readonly take: (source: SourceShard, parts: ReadonlyMap<string, DatasetWriter>) => Promise<void>;
}

/**
 * Makes datasets from rows of others.
 *
 * @returns the number of rows of each part.
 * @throws DataError as `readSources` and `writeDatasets`.
 */
export async function convertDatasets(
  request: DatasetRequest,
  { operation, options, parts, take }: Conversion,
): Promise<Readonly<Record<string, number>>> {
  const words = await wordsOf(request.sources);
  let sources: Provenance['sources'] = [];
  const all = { ...options, ...filterOptions(request.filter) };
  const plan = {
    folder: request.out,
    parts,
    softwareVersion: request.softwareVersion,
    origin: (part: string): DatasetOrigin => ({
      words,
      madeBy: { operation, options: part === '' ? all : { ...all, part }, sources },
    }),
  };
  return writeDatasets(plan, async (writers) => {
    sources = await readSources(request, (source) => take(source, writers));
  });
}

/**
 * Merges rows of one or more datasets of the same game and rules, as selected by the filter. If it selects all rows,
 * shards are copied byte for byte. Memory: one shard, and one bit a game.
 *
 * @returns the number of rows of the new dataset.
 * @throws DataError as `readSources`; `dataset-exists`, `dataset-empty`, `disk-full`, `write-failed`.
 */
export async function mergeDatasets(request: DatasetRequest): Promise<number> {
  const isWhole = keepsAll(request.filter);
  const rows = await convertDatasets(request, {
    operation: 'merge',
    options: {},
    parts: [''],
    take: async ({ shard, rows: kept }, parts) => {
      const writer = parts.get('')!;
      if (isWhole) await writer.copy(shard);
      else await writer.add(shard.metadata, samplesOf(shard.columns, kept));
    },
  });
  return rows['']!;
}

/** A part of a split: its name and its share of the games, in (0, 1]. */
export interface DatasetShare {
  readonly name: string;
  readonly share: number;
}

/** @throws DataError `dataset-content` if the shares do not sum to 1 or a name is not a folder name. */
function checkShares(shares: readonly DatasetShare[]): void {
  const total = shares.reduce((sum, { share }) => sum + share, 0);
  const names = new Set(shares.map(({ name }) => name));
  const wrong = shares.find(({ name }) => !/^[a-zA-Z0-9][\w-]*$/.test(name));
  if (wrong !== undefined) {
    throw new DataError(
      'dataset-content',
      `expected a part name like train-2, of letters, digits, _ and - (not first); got ${quote(wrong.name)}`,
    );
  }
  const fits =
    Math.abs(total - 1) < 1e-9 && names.size === shares.length && shares.every(({ share }) => share > 0);
  if (fits) return;
  const found = shares.map(({ name, share }) => `${name}=${share}`).join(' ');
  throw new DataError(
    'dataset-content',
    `expected distinct names with positive shares that sum to 1, got ${found}`,
  );
}

/**
 * Splits the games of datasets among several new ones, each in a folder of its name in `request.out`. The part of a
 * game depends on the game and `seed` alone.
 *
 * @returns the number of rows of each part.
 * @throws DataError as `mergeDatasets`; `dataset-content`; `dataset-filter` for a seed that is not an integer from 0 to
 *   2^53 - 1.
 */
export async function splitDataset(
  request: DatasetRequest,
  { shares, seed }: { readonly shares: readonly DatasetShare[]; readonly seed: number },
): Promise<Readonly<Record<string, number>>> {
  checkShares(shares);
  expectSampleSeed(seed);
  const partOf = (gameSeed: number, gameId: number): string => {
    let left = hashShare(seed, gameSeed, gameId);
    for (const { name, share } of shares) {
      if (left < share) return name;
      left -= share;
    }
    return shares.at(-1)!.name;
  };
  return convertDatasets(request, {
    operation: 'split',
    options: { shares: Object.fromEntries(shares.map(({ name, share }) => [name, share])), seed },
    parts: shares.map(({ name }) => name),
    take: async ({ shard: { metadata, columns }, rows }, parts) => {
      const byPart = new Map(shares.map(({ name }): [string, Sample[]] => [name, []]));
      for (const sample of samplesOf(columns, rows)) {
        byPart.get(partOf(metadata.seed, sample.gameId))!.push(sample);
      }
      for (const [part, samples] of byPart) await parts.get(part)!.add(metadata, samples);
    },
  });
}
