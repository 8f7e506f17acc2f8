import { join } from 'node:path';
import { readInput } from '../../data/files/input-file.js';
import { sha256 } from '../../data/files/sealed-json.js';
import { shardName } from '../../data/arrow-names.js';
import type { GameIdentity } from '../games/game-config.js';
import type { TaughtSelfPlayConfig } from '../config/groups/taught-self-play-config.js';
import type { WarmStartConfig } from '../config/groups/warm-start-config.js';
import { digestOfNetwork } from './network-digest.js';

/** The players of a shard's games. */
export type GameSource =
  | {
      readonly kind: 'network';
      readonly modelPath: string;
      readonly config: TaughtSelfPlayConfig;
    }
  | { readonly kind: 'agent'; readonly config: WarmStartConfig };

/**
 * The job of making one shard; plain JSON, which can be sent to another process. Every process produces the same bytes,
 * unless an agent depends on the clock.
 */
export interface ShardJob {
  /** Path of the shard; its folder exists. */
  readonly path: string;
  readonly game: GameIdentity;
  readonly source: GameSource;
  /** SHA-256 of the source's settings and network: `digestOfSource`. */
  readonly sourceDigest: string;
  readonly seed: number;
  readonly generation: number;
  readonly firstGame: number;
  readonly games: number;
  readonly softwareVersion: string;
}

/** Games to play, not yet divided into shards. */
export interface ShardPlan extends Omit<ShardJob, 'path' | 'sourceDigest'> {
  /** Folder for the shards. */
  readonly folder: string;
  readonly gamesPerShard: number;
}

/**
 * SHA-256 of the settings and the network that determine the games. Settings that only divide the work are left out.
 * Agents count by their text, not by their files.
 *
 * @throws DataError `file-missing`, `file-unreadable` for the model.
 */
export async function digestOfSource(source: GameSource): Promise<string> {
  if (source.kind === 'agent') return sha256(JSON.stringify({ ...source.config, games: undefined }));
  return digestOfNetwork(source.config, await readInput(source.modelPath, 'model'));
}

/** SHA-256 of everything that determines the games of a job; stored in the manifest of its shard. */
export function digestOfJob(job: ShardJob): string {
  const { sourceDigest, seed, generation, firstGame, games } = job;
  const { id, rules } = job.game;
  return sha256(JSON.stringify({ game: { id, rules }, sourceDigest, seed, generation, firstGame, games }));
}

/**
 * Divides games into jobs of one shard each.
 *
 * @throws DataError `file-missing`, `file-unreadable` for the model.
 */
export async function planShards(plan: ShardPlan): Promise<readonly ShardJob[]> {
  const { folder, gamesPerShard, ...shared } = plan;
  const sourceDigest = await digestOfSource(plan.source);
  const shards = Math.ceil(plan.games / gamesPerShard);
  return Array.from({ length: shards }, (_, index) => {
    const done = index * gamesPerShard;
    return {
      ...shared,
      sourceDigest,
      path: join(folder, shardName(index)),
      firstGame: plan.firstGame + done,
      games: Math.min(gamesPerShard, plan.games - done),
    };
  });
}
