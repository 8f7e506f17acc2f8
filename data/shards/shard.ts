import { basename, join } from 'node:path';
import type { Game } from '../../env/game.js';
import { DataError } from '../data-error.js';
import { arrowManifestPath } from '../arrow-names.js';
import { namesIn } from '../folder-reader.js';
import { removeFile } from '../files/atomic-file.js';
import {
  readListedFile,
  readManifest,
  writeWithManifest,
  type Manifest,
  type ManifestDetails,
} from '../files/manifest.js';
import { lengthProblem, type ShardColumns } from './shard-columns.js';
import { decodeShard } from './shard-decoding.js';
import type { DecodedShard } from './shard-encoding.js';
import { checkShardMetadata } from './shard-metadata.js';

// Public since version 1.0.0.
export { arrowManifestPath as shardManifestPath, shardName } from '../arrow-names.js';

/** Kind of the manifest of a shard. */
export const SHARD_KIND = 'shard';

/** An observer of the listing of shards. */
export interface ListingObserver {
  /**
   * Called with the paths of `.arrow` files that are left out because they have no manifest: a process is writing them,
   * or was killed meanwhile, or the manifest was lost.
   */
  readonly onUnfinished?: ((paths: readonly string[]) => void) | undefined;
}

/** The `.arrow` files of a folder, by name. */
export interface ArrowFiles {
  /** Those with a manifest: shards, and files of other kinds. */
  readonly finished: readonly string[];
  /** Those without one: such a shard does not exist. */
  readonly unfinished: readonly string[];
}

/** The paths of the `.arrow` files among the names of a folder's files. */
export function arrowFilesOf(folder: string, names: readonly string[]): ArrowFiles {
  const there = new Set(names);
  const arrows = names.filter((name) => name.endsWith('.arrow')).sort();
  const pathsWhere = (isFinished: boolean): readonly string[] =>
    arrows
      .filter((name) => there.has(arrowManifestPath(name)) === isFinished)
      .map((name) => join(folder, name));
  return { finished: pathsWhere(true), unfinished: pathsWhere(false) };
}

/**
 * Paths of the shards in a folder, by name; a shard without a manifest does not exist.
 *
 * @throws DataError `file-missing`, `file-unreadable`.
 */
export async function listShards(
  folder: string,
  { onUnfinished }: ListingObserver = {},
): Promise<readonly string[]> {
  const { finished, unfinished } = arrowFilesOf(folder, await namesIn(folder));
  if (unfinished.length > 0) onUnfinished?.(unfinished);
  return finished;
}

/**
 * Removes a shard if it exists. Its manifest goes first: a shard without a manifest does not exist.
 *
 * @throws DataError `write-failed`, `disk-full`.
 */
export async function removeShard(path: string): Promise<void> {
  await removeFile(arrowManifestPath(path));
  await removeFile(path);
}

/** The game that a shard must match. */
export type ShardGame = Pick<
  Game<unknown>,
  'id' | 'rules' | 'rulesVersion' | 'encodingVersion' | 'packedSize' | 'numActions'
>;

/**
 * Writes a shard and then its manifest.
 *
 * @param path ends in `.arrow`; the folder must exist.
 * @param details for the manifest: statistics of the games.
 * @throws DataError `disk-full`, `write-failed`; `shard-format` for metadata that no shard has, and for columns of other
 *   lengths.
 */
export async function writeShard(
  path: string,
  shard: DecodedShard,
  details: ManifestDetails = {},
): Promise<Manifest> {
  checkShardMetadata(path, shard.metadata);
  const problem = lengthProblem(shard.columns);
  if (problem !== null) throw new DataError('shard-format', `columns of ${path}: expected ${problem}`);
  // Reading needs no apache-arrow, whose modules take 0.1 s to load.
  const { encodeShard } = await import('./shard-encoding.js');
  return writeShardBytes(path, encodeShard(shard.columns, shard.metadata), details);
}

/**
 * Writes the bytes of a shard and then its manifest.
 *
 * @param path as of `writeShard`.
 * @throws DataError `disk-full`, `write-failed`.
 */
export function writeShardBytes(
  path: string,
  bytes: Uint8Array,
  details: ManifestDetails,
): Promise<Manifest> {
  const contents = new Map([[basename(path), bytes]]);
  return writeWithManifest(arrowManifestPath(path), contents, { kind: SHARD_KIND, details });
}

/**
 * Checks that a shard is of `game`.
 *
 * @throws DataError `shard-game`, `shard-rules`, `shard-encoding`, `shard-format`.
 */
export function checkGame(path: string, { metadata, columns }: DecodedShard, game: ShardGame): void {
  if (metadata.game !== game.id) {
    throw new DataError('shard-game', `expected a shard of ${game.id}, ${path} is of ${metadata.game}`);
  }
  if (metadata.rules !== game.rules || metadata.rulesVersion !== game.rulesVersion) {
    throw new DataError(
      'shard-rules',
      `expected rules ${game.rules} version ${game.rulesVersion}, ` +
        `${path} has ${metadata.rules} version ${metadata.rulesVersion}`,
    );
  }
  if (metadata.encodingVersion !== game.encodingVersion) {
    throw new DataError(
      'shard-encoding',
      `expected encoding version ${game.encodingVersion}, ${path} has ${metadata.encodingVersion}`,
    );
  }
  checkValues(path, columns, game);
}

/** Checks values that follow from the game: another program may have written a shard with the right metadata. */
function checkValues(path: string, columns: ShardColumns, game: ShardGame): void {
  if (columns.positionSize !== game.packedSize) {
    throw new DataError(
      'shard-format',
      `expected positions of ${game.packedSize} bytes, ${path} has ${columns.positionSize}`,
    );
  }
  const { actions, rows, actionStart } = columns;
  for (let row = 0; row < rows; row++) {
    // Actions ascend, and every row has one.
    const last = actions[actionStart[row + 1]! - 1]!;
    if (last >= game.numActions)
      throw new DataError('shard-format', `${path} has action ${last} in row ${row}`);
  }
}

/** A shard with its bytes, checked against its manifest. */
export interface ShardFile extends DecodedShard {
  readonly manifest: Manifest;
  readonly bytes: Uint8Array;
}

/**
 * Reads a shard with its bytes and manifest.
 *
 * @throws DataError as `readShard`.
 */
export async function readShardFile(path: string, game?: ShardGame): Promise<ShardFile> {
  const manifest = await readManifest(arrowManifestPath(path), SHARD_KIND);
  const bytes = await readListedFile(manifest, path);
  const shard = decodeShard(path, bytes);
  if (game !== undefined) checkGame(path, shard, game);
  return { ...shard, manifest, bytes };
}

/**
 * Reads a shard and checks it against its manifest and, if given, against the game.
 *
 * @throws DataError as `readManifest` and `readListedFile`; `shard-format`, `shard-too-new`, `shard-game`,
 *   `shard-rules`, `shard-encoding`.
 */
export async function readShard(path: string, game?: ShardGame): Promise<DecodedShard> {
  const { metadata, columns } = await readShardFile(path, game);
  return { metadata, columns };
}

/**
 * The manifest of a shard, or null if the shard does not exist or was not completed.
 *
 * @throws DataError for a damaged shard: `file-cut`, `file-altered`, `file-missing`, `manifest-damaged`,
 *   `manifest-too-new`.
 */
export async function findShard(path: string): Promise<Manifest | null> {
  let manifest: Manifest;
  try {
    manifest = await readManifest(arrowManifestPath(path), SHARD_KIND);
  } catch (error) {
    if (error instanceof DataError && error.code === 'manifest-missing') return null;
    throw error;
  }
  await readListedFile(manifest, path);
  return manifest;
}
