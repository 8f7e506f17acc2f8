import * as z from 'zod';
import { DATASET_ID } from '../episodes/episode-metadata.js';

/** Version of the details of `dataset.json`. */
export const DATASET_VERSION = 1;

/** Description of a dataset by its author, with the names of Minari's datasets, and `license`. */
export const DatasetWords = z.strictObject({
  datasetId: z.string().regex(DATASET_ID, 'expected [namespace/][game/]name-vVERSION').optional(),
  author: z.string().optional(),
  authorEmail: z.string().optional(),
  algorithmName: z.string().optional(),
  codePermalink: z.string().optional(),
  /** An SPDX identifier, such as `CC-BY-4.0`, or free text. */
  license: z.string().optional(),
  description: z.string().optional(),
});
/** Description of a dataset by its author: plain JSON. */
export type DatasetWords = z.infer<typeof DatasetWords>;

/** Provenance of a dataset made from others: enough to make it again. */
const Provenance = z.strictObject({
  /** `merge`, `split`, `rescore`, `convert`. */
  operation: z.string(),
  /** Options of the operation. */
  options: z.record(z.string(), z.json()),
  /** The source datasets: name of the folder, rows, SHA-256 of the concatenated checksums of its shards. */
  sources: z.array(z.strictObject({ name: z.string(), rows: z.int(), sha256: z.string() })),
});
/** Provenance of a dataset: plain JSON. */
export type Provenance = z.infer<typeof Provenance>;

/** Description and provenance of a dataset. */
export interface DatasetOrigin {
  readonly words: DatasetWords;
  /** Null: its games were played, not copied from other datasets. */
  readonly madeBy: Provenance | null;
}

/** The details of `dataset.json`. */
export const DatasetCard = z.strictObject({
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
  /** Versions of the programs that played the games. */
  playedBy: z.array(z.string()),
  /** Version of the program that wrote the card. */
  softwareVersion: z.string(),
});

/** The details of `dataset.json`: plain JSON. */
export type DatasetCard = z.infer<typeof DatasetCard>;
