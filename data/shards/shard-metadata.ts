import { z } from 'zod';
import { describeProblems } from '../../env/problems-text.js';
import { DataError } from '../data-error.js';

/** Changes when a column is added, removed or means something else. Older versions are read for good. */
export const SHARD_VERSION = 2;

/** What a shard says of all its rows; Arrow keeps it as the text values of the schema's metadata. */
export interface ShardMetadata {
  /** `Game.id` */
  readonly game: string;
  /** `Game.rules` */
  readonly rules: string;
  readonly rulesVersion: number;
  readonly encodingVersion: number;
  /** The seed of the run; with `gameId` it gives a game's random stream. */
  readonly seed: number;
  /** Number of the network that played; 0 for the games of a warm start. */
  readonly generation: number;
  /** SHA-256 of the settings and of the network that the games were played with. */
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
  generation: count,
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

/**
 * The version of the shard that an Arrow schema has the metadata of, from 1 to `SHARD_VERSION`.
 *
 * Throws `DataError` `shard-format` or `shard-too-new`.
 */
export function parseShardVersion(path: string, texts: ReadonlyMap<string, string>): number {
  const version = count.safeParse(texts.get('shardVersion')).data;
  if (version === undefined || version === 0) {
    throw new DataError('shard-format', `expected a shard in ${path}: its schema has no shardVersion`);
  }
  if (version > SHARD_VERSION) {
    throw new DataError(
      'shard-too-new',
      `${path} has shard version ${version}, this program reads up to ${SHARD_VERSION}`,
    );
  }
  return version;
}

/**
 * What the metadata of an Arrow schema says, if it is a shard's.
 *
 * Throws `DataError` `shard-format` or `shard-too-new`.
 */
export function parseShardMetadata(path: string, texts: ReadonlyMap<string, string>): ShardMetadata {
  parseShardVersion(path, texts);
  const parsed = MetadataTexts.safeParse(Object.fromEntries(texts));
  if (parsed.success) return parsed.data;
  throw new DataError(
    'shard-format',
    `expected the metadata of a shard in ${path}: ${describeProblems(parsed.error)}`,
  );
}
