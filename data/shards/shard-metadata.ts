import * as z from 'zod';
import { validate } from '../../env/problems-text.js';
import { describeValue } from '../../env/text/described-value.js';
import { DataError } from '../data-error.js';

/** Changes when a column is added or removed, or changes its meaning. */
export const SHARD_VERSION = 1;

/** Metadata common to all rows of a shard; in the file, the schema's metadata. */
export interface ShardMetadata {
  /** `Game.id` */
  readonly game: string;
  /** `Game.rules` */
  readonly rules: string;
  readonly rulesVersion: number;
  readonly encodingVersion: number;
  /** The seed of the run; a game's random stream follows from it and `gameId`. */
  readonly seed: number;
  /** Generation of the network that played, below 2^32; 0 also for games without one, as in a warm start. */
  readonly generation: number;
  /** SHA-256 of the settings and the network with which the games were played. */
  readonly configDigest: string;
  /** Version of the program that wrote the shard. */
  readonly softwareVersion: string;
}

const count = z.string().regex(/^\d+$/).transform(Number).pipe(z.int());

const MetadataTexts = z.object({
  game: z.string(),
  rules: z.string(),
  rulesVersion: count,
  encodingVersion: count,
  seed: count,
  // Parquet files have it in a column of 32 bits.
  generation: count.pipe(z.int().max(2 ** 32 - 1)),
  configDigest: z.string(),
  softwareVersion: z.string(),
});

/** The metadata as Arrow's schema holds it, in a fixed order. */
export function formatShardMetadata(metadata: ShardMetadata): Map<string, string> {
  const texts = new Map([['shardVersion', String(SHARD_VERSION)]]);
  for (const key of Object.keys(MetadataTexts.shape) as (keyof ShardMetadata)[]) {
    texts.set(key, String(metadata[key]));
  }
  return texts;
}

/** @throws DataError `shard-format`, `shard-too-new` unless the metadata is of this program's shard version. */
function checkVersion(path: string, texts: ReadonlyMap<string, string>): void {
  const version = count.safeParse(texts.get('shardVersion')).data;
  if (version === undefined || version < SHARD_VERSION) {
    throw new DataError('shard-format', `expected a shard in ${path}: its schema has no shardVersion`);
  }
  if (version > SHARD_VERSION) {
    throw new DataError(
      'shard-too-new',
      `${path} has shard version ${version}, this program reads version ${SHARD_VERSION}`,
    );
  }
}

/**
 * The metadata of a shard from the metadata of its Arrow schema.
 *
 * @param path for messages.
 * @throws DataError `shard-format`, `shard-too-new`.
 */
export function parseShardMetadata(path: string, texts: ReadonlyMap<string, string>): ShardMetadata {
  checkVersion(path, texts);
  return validate(
    MetadataTexts,
    Object.fromEntries(texts),
    (problems) => new DataError('shard-format', `expected the metadata of a shard in ${path}: ${problems}`),
  );
}

/**
 * Checks that the metadata of a shard is read back as it is.
 *
 * @param path for messages.
 * @throws DataError `shard-format`, such as for a negative seed.
 */
export function checkShardMetadata(path: string, metadata: ShardMetadata): void {
  const read = parseShardMetadata(path, formatShardMetadata(metadata));
  for (const key of Object.keys(read) as (keyof ShardMetadata)[]) {
    if (read[key] === metadata[key]) continue;
    const found = `${describeValue(metadata[key])} at ${key}`;
    throw new DataError('shard-format', `expected ${describeValue(read[key])} for ${path}, got ${found}`);
  }
}
