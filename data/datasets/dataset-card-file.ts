import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { validate } from '../../env/problems-text.js';
import { DataError } from '../data-error.js';
import { exists, writeFileAtomic } from '../files/atomic-file.js';
import {
  type ManifestDetails,
  readManifest,
  writeManifestOf,
  expectKnownVersion,
} from '../files/manifest.js';
import { isShard } from '../shards/shard-kind.js';
import { type ListingObserver, listShards, readShardFile, SHARD_KIND } from '../shards/shard.js';
import { arrowManifestPath } from '../arrow-names.js';
import { DATASET_VERSION, DatasetCard, type DatasetOrigin, DatasetWords } from './dataset-card.js';
import { cardPage } from './dataset-page.js';
import { ShardsSummarizer, type ShardsSummary } from './shard-summary.js';

/** Kind of the manifest of a dataset. */
export const DATASET_KIND = 'dataset';
const DATASET_FILE = 'dataset.json';
const PAGE_FILE = 'README.md';

/** Inputs of a card besides the shards. */
export interface CardRequest extends ListingObserver {
  /** Heading of the page of a dataset without an id. */
  readonly name: string;
  readonly origin: DatasetOrigin;
  readonly softwareVersion: string;
  /** Called with the id of each shard's game before anything is written. */
  readonly onGame?: ((id: string) => void) | undefined;
}

/** The facts of a card that follow from the shards. */
type ShardFacts = Omit<DatasetCard, 'words' | 'madeBy' | 'softwareVersion'>;

function factsOf(summary: ShardsSummary): ShardFacts {
  const { game, rules, rulesVersion, encodingVersion, shards, bytes, rows, games } = summary;
  return {
    datasetVersion: DATASET_VERSION,
    ...{ game, rules, rulesVersion, encodingVersion, shards, bytes, rows, games },
    gameResults: summary.gameResults,
    generations: summary.generations.map(({ generation }) => generation),
    seeds: [...summary.seeds],
    shardVersion: summary.shardVersion,
    playedBy: [...summary.softwareVersions],
  };
}

/** The card of the shards in a folder, each read and checked, and their paths. */
async function describeShards(
  folder: string,
  { origin, softwareVersion, onGame, onUnfinished }: CardRequest,
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
  for (const path of shardPaths) {
    const shard = await readShardFile(path);
    onGame?.(shard.metadata.game);
    summarizer.add(path, shard);
  }
  const { datasetVersion, ...facts } = factsOf(summarizer.summary());
  // The order is that of the file.
  const card = { datasetVersion, words, madeBy: origin.madeBy, ...facts, softwareVersion };
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

/** @throws DataError `manifest-damaged`, `manifest-too-new`. */
function parseCard(path: string, details: ManifestDetails): DatasetCard {
  expectKnownVersion(path, details, { name: 'dataset', newest: DATASET_VERSION });
  return validate(
    DatasetCard,
    details,
    (problems) => new DataError('manifest-damaged', `expected the card of a dataset in ${path}: ${problems}`),
  );
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
  return parseCard(path, details);
}

/**
 * Compares the facts in a `dataset.json` with the shards that it names. If one cannot be read, nothing is
 * compared: the check of that shard's own manifest reports the damage.
 *
 * @throws DataError `manifest-damaged`, also for other files and facts; `manifest-too-new`, `dataset-mixed`,
 *   `file-unreadable`.
 */
export async function checkDatasetCard(path: string): Promise<void> {
  const { files, details } = await readManifest(path, DATASET_KIND);
  const card = parseCard(path, details);
  const summarizer = new ShardsSummarizer();
  for (const name of Object.keys(files)) {
    if (name === PAGE_FILE) continue;
    await readManifest(join(dirname(path), name), SHARD_KIND);
    const shardPath = join(dirname(path), `${basename(name, '.json')}.arrow`);
    const shard = await readShardFile(shardPath).catch(() => null);
    if (shard === null) return;
    summarizer.add(shardPath, shard);
  }
  for (const [key, expected] of Object.entries(factsOf(summarizer.summary()))) {
    const found = card[key as keyof ShardFacts];
    if (isDeepStrictEqual(found, expected)) continue;
    const [wanted, got] = [expected, found].map((fact) => JSON.stringify(fact));
    const problem = `expected ${key} ${wanted} of the shards, got ${got}`;
    throw new DataError('manifest-damaged', `expected the card of its shards in ${path}: ${problem}`);
  }
}
