import { listShardsOfDatasets } from '../../data/datasets/dataset-folder.js';
import { listedFile, readManifest } from '../../data/files/manifest.js';
import { contentOf, type RowContent } from '../../data/shards/shard-columns.js';
import { readShardFile, SHARD_KIND, shardManifestPath } from '../../data/shards/shard.js';
import { type Action, type Game, NO_ACTION } from '../../env/game.js';
import { TrainingError } from '../training-error.js';
import { GameStatistics } from './self-play-statistics.js';
import type { StartsConfig } from '../config/starts-config.js';

/** A shard of earlier games whose positions later ones may begin at; plain JSON. */
export interface ArchiveShard {
  readonly path: string;
  /** Of the file, as its manifest has it. */
  readonly sha256: string;
  readonly rows: number;
}

/** A row of the archive; views that live as long as their shard. */
export interface ArchivedRow extends Pick<RowContent, 'position' | 'actions' | 'policy'> {
  /** The action that was played; null where it is not known. */
  readonly played: Action | null;
}

/** Whether games begin at positions of earlier ones. */
export function readsArchive({ archiveShare, forkShare }: StartsConfig): boolean {
  return archiveShare + forkShare > 0;
}

/** Generations, ascending, whose games the archive of the games of `generation` is made of; none for the first. */
export function archiveGenerations(config: StartsConfig, generation: number): readonly number[] {
  if (!readsArchive(config)) return [];
  const first = Math.max(1, generation - config.archiveGenerations);
  return Array.from({ length: Math.max(0, generation - first) }, (_, index) => first + index);
}

/** Rows by the shard's own manifest, so that it need not be read; shards of other tools are. */
async function archiveShard(path: string): Promise<ArchiveShard> {
  const manifest = await readManifest(shardManifestPath(path), SHARD_KIND);
  const statistics = GameStatistics.safeParse(manifest.details['statistics']).data;
  const rows = statistics?.positions ?? (await readShardFile(path)).columns.rows;
  return { path, sha256: listedFile(manifest, path).sha256, rows };
}

/** The shards at `paths`, in order, as an archive. Throws what `readManifest` throws. */
export async function archiveOf(paths: readonly string[]): Promise<readonly ArchiveShard[]> {
  const shards: ArchiveShard[] = [];
  for (const path of paths) shards.push(await archiveShard(path));
  return shards;
}

/**
 * The shards of datasets, in order, as an archive.
 *
 * @throws DataError as `listShardsOfDatasets` and `readManifest` do.
 */
export async function listArchive(datasets: readonly string[]): Promise<readonly ArchiveShard[]> {
  return archiveOf(await listShardsOfDatasets(datasets));
}

/** Rows of the archive in all. */
export function archiveRows(archive: readonly ArchiveShard[]): number {
  return archive.reduce((sum, { rows }) => sum + rows, 0);
}

/**
 * Shows each wanted row of the archive, those of a shard together: one shard at a time is in memory.
 *
 * @param wanted numbers of rows in `[0, archiveRows(archive))`.
 * @param take is given the row and its place in `wanted`.
 * @throws TrainingError `archive-changed` where a shard is another one than the archive was made of; DataError as
 *   `readShard` does.
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
          `expected ${rows} rows and SHA-256 ${sha256} in ${path}: games were to begin at its positions`,
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
