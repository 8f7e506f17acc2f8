import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError, readFailure } from '../data-error.js';
import { readAnyManifest } from '../files/manifest.js';
import { listShards, SHARD_KIND, shardManifestPath } from '../shards/shard.js';

/** What other programs leave in folders, and what is not there yet, begins with a dot. */
export function isHidden(name: string): boolean {
  return name.startsWith('.');
}

async function subfolders(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw readFailure(folder, error);
  });
  return entries
    .filter((entry) => entry.isDirectory() && !isHidden(entry.name))
    .map(({ name }) => join(folder, name))
    .sort();
}

/**
 * Files other than shards, of episodes for one, may lie in the same folder: their manifests tell. What has a damaged
 * one is left to whoever reads it.
 */
async function isShard(path: string): Promise<boolean> {
  return readAnyManifest(shardManifestPath(path)).then(
    ({ kind }) => kind === SHARD_KIND,
    () => true,
  );
}

/**
 * Paths of the shards of a dataset, which is a folder: those in it by name, then those in its folders, likewise. So the
 * `data` folder of a run is one. A shard's own path is a dataset of one.
 *
 * @throws DataError `file-missing`, `file-unreadable`.
 */
export async function listDatasetShards(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch((error: unknown) => {
    throw readFailure(path, error);
  });
  if (!found.isDirectory()) return [path];
  const shards: string[] = [];
  for (const shard of await listShards(path)) if (await isShard(shard)) shards.push(shard);
  for (const folder of await subfolders(path)) shards.push(...(await listDatasetShards(folder)));
  return shards;
}

/**
 * The shards of a dataset that is to have some. Throws what `listDatasetShards` throws; DataError `dataset-empty`.
 */
export async function expectDatasetShards(path: string): Promise<readonly string[]> {
  const shards = await listDatasetShards(path);
  if (shards.length === 0) throw new DataError('dataset-empty', `expected shards in ${path}, found none`);
  return shards;
}

/** The shards of several datasets, in order. Throws what `expectDatasetShards` throws. */
export async function listShardsOfDatasets(paths: readonly string[]): Promise<readonly string[]> {
  const shards: string[] = [];
  for (const path of paths) shards.push(...(await expectDatasetShards(path)));
  return shards;
}
