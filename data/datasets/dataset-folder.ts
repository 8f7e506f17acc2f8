import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError, readFailure } from '../data-error.js';
import { readAnyManifest } from '../files/manifest.js';
import { listShards, SHARD_KIND, shardManifestPath } from '../shards/shard.js';

/** Whether a name begins with a dot, as files of other programs and temporaries do. */
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
 * its subfolders, likewise. The path of a shard is a dataset of one.
 *
 * @throws DataError `file-missing`, `file-unreadable`; `dataset-unknown` for a file of another kind.
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
  for (const shard of await listShards(path)) if (await isShard(shard)) shards.push(shard);
  for (const folder of await subfolders(path)) shards.push(...(await listDatasetShards(folder)));
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
