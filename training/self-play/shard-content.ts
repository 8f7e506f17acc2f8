import { columnsOf } from '../../data/shards/shard-columns.js';
import type { DecodedShard } from '../../data/shards/shard-encoding.js';
import type { ShardMetadata } from '../../data/shards/shard-metadata.js';
import type { Game } from '../../env/game.js';
import type { FinishedGame } from './training-game.js';
import type { ShardJob } from './shard-job.js';

/** The settings of a job that its shard names. */
export type ShardOrigin = Pick<ShardJob, 'seed' | 'generation' | 'sourceDigest' | 'softwareVersion'>;

/** Metadata of the shard of a job. */
export function metadataOf(game: Game<unknown>, job: ShardOrigin): ShardMetadata {
  return {
    game: game.id,
    rules: game.rules,
    rulesVersion: game.rulesVersion,
    encodingVersion: game.encodingVersion,
    seed: job.seed,
    generation: job.generation,
    configDigest: job.sourceDigest,
    softwareVersion: job.softwareVersion,
  };
}

/** The shard of a job with its games, by number. It runs in browsers too. */
export function shardOf(game: Game<unknown>, job: ShardOrigin, games: readonly FinishedGame[]): DecodedShard {
  const samples = games.flatMap((played) => played.samples);
  return { columns: columnsOf(samples, game.packedSize), metadata: metadataOf(game, job) };
}
