import { join } from 'node:path';
import { validate } from '../../env/problems-text.js';
import { DataError } from '../data-error.js';
import { exists, writeFileAtomic } from '../files/atomic-file.js';
import { type ManifestDetails, readManifest, writeManifestOf } from '../files/manifest.js';
import { isShard } from '../shards/shard-kind.js';
import { type ListingObserver, listShards, readShardFile } from '../shards/shard.js';
import { arrowManifestPath } from '../arrow-names.js';
import { DATASET_VERSION, DatasetCard, type DatasetOrigin, DatasetWords } from './dataset-card.js';
import { cardPage } from './dataset-page.js';
import { ShardsSummarizer } from './shard-summary.js';

/** Kind of the manifest of a dataset. */
const DATASET_KIND = 'dataset';
const DATASET_FILE = 'dataset.json';
const PAGE_FILE = 'README.md';

/** Inputs of a card besides the shards. */
export interface CardRequest extends ListingObserver {
  /** Heading of the page of a dataset without an id. */
  readonly name: string;
  readonly origin: DatasetOrigin;
  readonly softwareVersion: string;
}

/** The card of the shards in a folder, each read and checked, and their paths. */
async function describeShards(
  folder: string,
  { origin, softwareVersion, onUnfinished }: CardRequest,
): Promise<{ readonly card: DatasetCard; readonly shardPaths: readonly string[] }> {
  const words = validate(
    DatasetWords,
    origin.words,
    (problems) => new DataError('dataset-content', problems),
  );
  const shardPaths: string[] = [];
  for (const path of await listShards(folder, { onUnfinished })) {
    if (await isShard(path)) shardPaths.push(path);
  }
  if (shardPaths.length === 0) {
    throw new DataError(
      'dataset-empty',
      `expected shards in ${folder} itself, found none: a card describes one folder`,
    );
  }
  const summarizer = new ShardsSummarizer();
  for (const path of shardPaths) summarizer.add(path, await readShardFile(path));
  const { game, rules, rulesVersion, encodingVersion, shards, bytes, rows, games, ...rest } =
    summarizer.summary();
  const card: DatasetCard = {
    datasetVersion: DATASET_VERSION,
    words: words,
    madeBy: origin.madeBy,
    ...{ game, rules, rulesVersion, encodingVersion, shards, bytes, rows, games },
    gameResults: rest.gameResults,
    generations: rest.generations.map(({ generation }) => generation),
    seeds: [...rest.seeds],
    shardVersion: rest.shardVersion,
    playedBy: [...rest.softwareVersions],
    softwareVersion,
  };
  return { card, shardPaths };
}

/**
 * Describes the shards in a folder, each read and checked.
 *
 * @throws DataError as `listShards` and `readShardFile`; `dataset-mixed`, `dataset-empty`; `dataset-content` for an
 *   invalid description.
 */
export async function describeDataset(folder: string, request: CardRequest): Promise<DatasetCard> {
  return (await describeShards(folder, request)).card;
}

/**
 * Writes the page of a dataset and then its manifest, which names the page and the manifest of every shard, so that a
 * missing shard is noticed.
 *
 * @throws DataError as `describeDataset`; `disk-full`, `write-failed`.
 */
export async function writeDatasetCard(folder: string, request: CardRequest): Promise<DatasetCard> {
  const { card, shardPaths } = await describeShards(folder, request);
  await writeFileAtomic(join(folder, PAGE_FILE), cardPage(card, request.name));
  const paths = [join(folder, PAGE_FILE), ...shardPaths.map(arrowManifestPath)];
  // JSON has no undefined values, such as a missing author.
  const details = JSON.parse(JSON.stringify(card)) as ManifestDetails;
  await writeManifestOf(join(folder, DATASET_FILE), paths, { kind: DATASET_KIND, details });
  return card;
}

/**
 * The card in the `dataset.json` of a folder, or null if there is none.
 *
 * @throws DataError `manifest-damaged`, `manifest-too-new`, `file-unreadable`.
 */
export async function readDatasetCard(folder: string): Promise<DatasetCard | null> {
  const path = join(folder, DATASET_FILE);
  if (!(await exists(path))) return null;
  const { details } = await readManifest(path, DATASET_KIND);
  const version = details['datasetVersion'];
  if (typeof version === 'number' && version > DATASET_VERSION) {
    const known = `this program reads version ${DATASET_VERSION}`;
    throw new DataError('manifest-too-new', `${path} has dataset version ${version}, ${known}`);
  }
  return validate(
    DatasetCard,
    details,
    (problems) => new DataError('manifest-damaged', `expected the card of a dataset in ${path}: ${problems}`),
  );
}
