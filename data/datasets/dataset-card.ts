import { join } from 'node:path';
import { z } from 'zod';
import { describeProblems } from '../../env/problems-text.js';
import { readTextIfThere } from '../files/text-file.js';
import { writeFileAtomic } from '../files/atomic-file.js';
import { cardPage } from './dataset-page.js';
import { DATASET_ID } from '../episodes/episode-metadata.js';
import { DataError } from '../data-error.js';
import { type ManifestDetails, readManifest, writeManifestOf } from '../files/manifest.js';
import { listShards, readShardFile, shardManifestPath } from '../shards/shard.js';
import { ShardsSummarizer } from './shard-summary.js';

/** Version of the details of `dataset.json`. */
export const DATASET_VERSION = 1;

/** What the manifest of a dataset is of. */
export const DATASET_KIND = 'dataset';
const DATASET_FILE = 'dataset.json';
const PAGE_FILE = 'README.md';

/** What people say of a dataset; the names are those of Minari's datasets, and `license`. */
export const DatasetWords = z.strictObject({
  datasetId: z.string().regex(DATASET_ID, 'expected [namespace/][game/]name-vVERSION').optional(),
  author: z.string().optional(),
  authorEmail: z.string().optional(),
  algorithmName: z.string().optional(),
  codePermalink: z.string().optional(),
  /** An SPDX identifier, such as `CC-BY-4.0`, or other words. */
  license: z.string().optional(),
  description: z.string().optional(),
});
/** What people say of a dataset: plain JSON. */
export type DatasetWords = z.infer<typeof DatasetWords>;

/** How a dataset was made from others: what reads it again makes it again. */
const Provenance = z.strictObject({
  /** `merge`, `split`, `rescore`; */
  operation: z.string(),
  /** with what options, */
  options: z.record(z.string(), z.json()),
  /** of what: SHA-256 of all shards' checksums, one after the other, by name of the folder. */
  sources: z.array(z.strictObject({ name: z.string(), rows: z.int(), sha256: z.string() })),
});
/** How a dataset was made from others: plain JSON. */
export type Provenance = z.infer<typeof Provenance>;

/** What is said of a dataset, and how it came to be; null: its games were played. */
export interface DatasetOrigin {
  readonly words: DatasetWords;
  readonly madeBy: Provenance | null;
}

const Card = z.strictObject({
  datasetVersion: z.literal(DATASET_VERSION),
  words: DatasetWords,
  madeBy: Provenance.nullable(),
  game: z.string(),
  rules: z.string(),
  rulesVersion: z.int(),
  encodingVersion: z.int(),
  shards: z.int(),
  bytes: z.int(),
  rows: z.int(),
  games: z.int(),
  gameResults: z.strictObject({ won: z.int(), drawn: z.int(), lost: z.int(), none: z.int() }),
  generations: z.array(z.int()),
  seeds: z.array(z.int()),
  shardVersion: z.int(),
  /** Versions of the programs that played the games, and of the one that wrote the card. */
  playedBy: z.array(z.string()),
  softwareVersion: z.string(),
});

/** All that `dataset.json` says of a dataset: plain JSON. */
export type DatasetCard = z.infer<typeof Card>;

/** What a card is made of beside the shards. */
export interface CardRequest {
  /** What the page is headed by where there is no id. */
  readonly name: string;
  readonly origin: DatasetOrigin;
  readonly softwareVersion: string;
}

/**
 * The card of the shards in a folder, each read and checked.
 *
 * @throws DataError what `listShards` and `readShard` throw, `dataset-mixed`, `dataset-empty`, `dataset-content` for words
 *   that cannot be.
 */
export async function describeDataset(
  folder: string,
  { origin, softwareVersion }: CardRequest,
): Promise<DatasetCard> {
  const words = DatasetWords.safeParse(origin.words);
  if (!words.success) throw new DataError('dataset-content', describeProblems(words.error));
  const shardPaths = await listShards(folder);
  if (shardPaths.length === 0) {
    throw new DataError(
      'dataset-empty',
      `expected shards in ${folder} itself, found none: a card is of one folder`,
    );
  }
  const summarizer = new ShardsSummarizer();
  for (const path of shardPaths) summarizer.add(path, await readShardFile(path));
  const { game, rules, rulesVersion, encodingVersion, shards, bytes, rows, games, ...rest } =
    summarizer.summary();
  return {
    datasetVersion: DATASET_VERSION,
    words: words.data,
    madeBy: origin.madeBy,
    ...{ game, rules, rulesVersion, encodingVersion, shards, bytes, rows, games },
    gameResults: rest.gameResults,
    generations: rest.generations.map(({ generation }) => generation),
    seeds: [...rest.seeds],
    shardVersion: rest.shardVersion,
    playedBy: [...rest.softwareVersions],
    softwareVersion,
  };
}

/**
 * Writes the page and then the manifest of a dataset, which names the page and the manifest of every shard: a shard that
 * is gone is noticed.
 *
 * @throws DataError what `describeDataset` throws, `disk-full`, `write-failed`.
 */
export async function writeDatasetCard(folder: string, request: CardRequest): Promise<DatasetCard> {
  const card = await describeDataset(folder, request);
  const shards = await listShards(folder);
  await writeFileAtomic(join(folder, PAGE_FILE), cardPage(card, request.name));
  const paths = [join(folder, PAGE_FILE), ...shards.map(shardManifestPath)];
  // Words that were not given are no JSON.
  const details = JSON.parse(JSON.stringify(card)) as ManifestDetails;
  await writeManifestOf(join(folder, DATASET_FILE), paths, { kind: DATASET_KIND, details });
  return card;
}

/**
 * What the `dataset.json` of a folder says; null where there is none.
 *
 * @throws DataError `manifest-damaged`, `manifest-too-new`, `file-unreadable`.
 */
export async function readDatasetCard(folder: string): Promise<DatasetCard | null> {
  const path = join(folder, DATASET_FILE);
  if ((await readTextIfThere(path)) === null) return null;
  const { details } = await readManifest(path, DATASET_KIND);
  const version = details['datasetVersion'];
  if (typeof version === 'number' && version > DATASET_VERSION) {
    const known = `this program reads up to ${DATASET_VERSION}`;
    throw new DataError('manifest-too-new', `${path} has dataset version ${version}, ${known}`);
  }
  const card = Card.safeParse(details);
  if (card.success) return card.data;
  throw new DataError(
    'manifest-damaged',
    `expected the card of a dataset in ${path}: ${describeProblems(card.error)}`,
  );
}
