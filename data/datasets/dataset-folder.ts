import { join } from 'node:path';
import { DataError } from '../data-error.js';
import { FolderReader, isFolder } from '../folder-reader.js';
import { isShard } from '../shards/shard-kind.js';
import { arrowFilesOf, type ListingObserver } from '../shards/shard.js';

/** The files of a dataset. */
interface DatasetFiles {
  readonly shards: string[];
  readonly unfinished: string[];
}

/**
 * Adds the files of a folder, then those of its folders.
 *
 * @throws DataError `file-missing`, `file-unreadable`, also for symbolic links.
 */
async function addFolder(files: DatasetFiles, folder: string, reader: FolderReader): Promise<void> {
  const content = await reader.read(folder);
  if (content === null) return;
  for (const error of content.badLinks.values()) throw error;
  const { finished, unfinished } = arrowFilesOf(folder, content.files);
  for (const path of finished) if (await isShard(path)) files.shards.push(path);
  files.unfinished.push(...unfinished);
  for (const name of content.folders) await addFolder(files, join(folder, name), reader);
}

/**
 * Paths of the shards of a dataset, a folder such as the `data` folder of a run: its own shards by name, then those of
 * its subfolders, likewise, each folder once, through symbolic links too. The path of a shard is a dataset of one.
 *
 * @throws DataError `file-missing`, `file-unreadable`, also for a symbolic link that leads nowhere or to a folder that
 *   contains it; `dataset-unknown` for a file of another kind.
 */
export async function listDatasetShards(
  path: string,
  { onUnfinished }: ListingObserver = {},
): Promise<readonly string[]> {
  if (!(await isFolder(path))) {
    if (path.endsWith('.arrow')) return [path];
    throw new DataError('dataset-unknown', `expected a shard (.arrow) or a folder of shards at ${path}`);
  }
  const files: DatasetFiles = { shards: [], unfinished: [] };
  await addFolder(files, path, new FolderReader());
  if (files.unfinished.length > 0) onUnfinished?.(files.unfinished);
  return files.shards;
}

/**
 * Paths of the shards of a dataset, at least one.
 *
 * @throws DataError as `listDatasetShards`; `dataset-empty`.
 */
export async function expectDatasetShards(
  path: string,
  observer?: ListingObserver,
): Promise<readonly string[]> {
  const shards = await listDatasetShards(path, observer);
  if (shards.length === 0) throw new DataError('dataset-empty', `expected shards in ${path}, found none`);
  return shards;
}

/**
 * Paths of the shards of several datasets, in order.
 *
 * @throws DataError as `expectDatasetShards`.
 */
export async function listShardsOfDatasets(
  paths: readonly string[],
  observer?: ListingObserver,
): Promise<readonly string[]> {
  const shards: string[] = [];
  for (const path of paths) shards.push(...(await expectDatasetShards(path, observer)));
  return shards;
}
