import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError, readFailure } from '../data-error.js';
import { FolderReader } from '../folder-reader.js';
import { readAnyManifest } from '../files/manifest.js';
import { listShards, SHARD_KIND, shardManifestPath } from '../shards/shard.js';

/**
 * A folder and all folders in it, each before its own folders.
 *
 * @throws DataError `file-missing`, `file-unreadable`, also for symbolic links.
 */
async function listFolders(folder: string, reader = new FolderReader()): Promise<readonly string[]> {
  const content = await reader.read(folder);
  if (content === null) return [];
  for (const error of content.badLinks.values()) throw error;
  const all = [folder];
  for (const name of content.folders) all.push(...(await listFolders(join(folder, name), reader)));
  return all;
}

/**
 * Whether the manifest is of a shard: files of episodes may be in the same folder. A file with a damaged manifest
 * counts as a shard, so that reading it reports the damage.
 */
async function isShard(path: string): Promise<boolean> {
  return readAnyManifest(shardManifestPath(path)).then(
    ({ kind }) => kind === SHARD_KIND,
    () => true,
  );
}

/**
 * Paths of the shards of a dataset, a folder such as the `data` folder of a run: its own shards by name, then those of
 * its subfolders, likewise, each folder once, through symbolic links too. The path of a shard is a dataset of one.
 *
 * @throws DataError `file-missing`, `file-unreadable`, also for a symbolic link that leads nowhere or to a folder that
 *   contains it; `dataset-unknown` for a file of another kind.
 */
export async function listDatasetShards(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch((error: unknown) => {
    throw readFailure(path, error);
  });
  if (!found.isDirectory()) {
    if (path.endsWith('.arrow')) return [path];
    throw new DataError('dataset-unknown', `expected a shard (.arrow) or a folder of shards at ${path}`);
  }
  const shards: string[] = [];
  for (const folder of await listFolders(path)) {
    for (const shard of await listShards(folder)) if (await isShard(shard)) shards.push(shard);
  }
  return shards;
}

/**
 * Paths of the shards of a dataset, at least one.
 *
 * @throws DataError as `listDatasetShards`; `dataset-empty`.
 */
export async function expectDatasetShards(path: string): Promise<readonly string[]> {
  const shards = await listDatasetShards(path);
  if (shards.length === 0) throw new DataError('dataset-empty', `expected shards in ${path}, found none`);
  return shards;
}

/**
 * Paths of the shards of several datasets, in order.
 *
 * @throws DataError as `expectDatasetShards`.
 */
export async function listShardsOfDatasets(paths: readonly string[]): Promise<readonly string[]> {
  const shards: string[] = [];
  for (const path of paths) shards.push(...(await expectDatasetShards(path)));
  return shards;
}
