import { listShardsOfDatasets } from '../../data/datasets/dataset-folder.js';
import { listedFile, readManifest } from '../../data/files/manifest.js';
import { contentOf, type RowContent } from '../../data/shards/shard-columns.js';
import { readShardFile, SHARD_KIND, shardManifestPath } from '../../data/shards/shard.js';
import { type Action, type Game, NO_ACTION } from '../../env/game.js';
import { TrainingError } from '../training-error.js';
import { GameStatistics } from './self-play-statistics.js';
import type { StartsConfig } from '../config/starts-config.js';

/** A shard of earlier games at whose positions later games may begin; plain JSON. */
export interface ArchiveShard {
  readonly path: string;
  /** Of the file, according to its manifest. */
  readonly sha256: string;
  readonly rows: number;
}

/** A row of the archive; its arrays are views of the shard. */
export interface ArchivedRow extends Pick<RowContent, 'position' | 'actions' | 'policy'> {
  /** The action that was played; null if unknown. */
  readonly played: Action | null;
}

/** Whether games begin at positions of earlier ones. */
export function readsArchive({ archiveShare, forkShare }: StartsConfig): boolean {
  return archiveShare + forkShare > 0;
}

/** Generations, ascending, in the archive for the games of `generation`; none for the first. */
export function archiveGenerations(config: StartsConfig, generation: number): readonly number[] {
  if (!readsArchive(config)) return [];
  const first = Math.max(1, generation - config.archiveGenerations);
  return Array.from({ length: Math.max(0, generation - first) }, (_, index) => first + index);
}

/** Takes the number of rows from the manifest, if it has statistics; else reads the shard. */
async function archiveShard(path: string): Promise<ArchiveShard> {
  const manifest = await readManifest(shardManifestPath(path), SHARD_KIND);
  const statistics = GameStatistics.safeParse(manifest.details['statistics']).data;
  const rows = statistics?.positions ?? (await readShardFile(path)).columns.rows;
  return { path, sha256: listedFile(manifest, path).sha256, rows };
}

/**
 * The shards at `paths`, in order, as an archive.
 *
 * @throws the errors of `readManifest`.
 */
export async function archiveOf(paths: readonly string[]): Promise<readonly ArchiveShard[]> {
  const shards: ArchiveShard[] = [];
  for (const path of paths) shards.push(await archiveShard(path));
  return shards;
}

/**
 * The shards of datasets, in order, as an archive.
 *
 * @throws the errors of `listShardsOfDatasets` and `readManifest`.
 */
export async function listArchive(datasets: readonly string[]): Promise<readonly ArchiveShard[]> {
  return archiveOf(await listShardsOfDatasets(datasets));
}

/** Number of rows of the archive. */
export function archiveRows(archive: readonly ArchiveShard[]): number {
  return archive.reduce((sum, { rows }) => sum + rows, 0);
}

/**
 * Visits the wanted rows of the archive, shard by shard: one shard at a time is in memory.
 *
 * @param wanted row numbers in `[0, archiveRows(archive))`.
 * @param take called with each row and its index in `wanted`.
 * @throws TrainingError `archive-changed` if a shard has changed since the archive was listed; the errors of
 *   `readShardFile`.
 */
export async function readArchiveRows(
  archive: readonly ArchiveShard[],
  game: Game<unknown>,
  wanted: readonly number[],
  take: (row: ArchivedRow, index: number) => void,
): Promise<void> {
  let first = 0;
  for (const { path, sha256, rows } of archive) {
    const inShard = [...wanted.entries()].filter(([, row]) => row >= first && row < first + rows);
    if (inShard.length > 0) {
      const { columns, manifest } = await readShardFile(path, game);
      if (listedFile(manifest, path).sha256 !== sha256 || columns.rows !== rows) {
        throw new TrainingError(
          'archive-changed',
          `expected ${rows} rows and SHA-256 ${sha256} in ${path}, at whose positions games begin`,
        );
      }
      for (const [index, row] of inShard) {
        const { position, actions, policy } = contentOf(columns, row - first);
        const played = columns.played[row - first]!;
        take({ position, actions, policy, played: played === NO_ACTION ? null : played }, index);
      }
    }
    first += rows;
  }
}
