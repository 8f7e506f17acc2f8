import { arrowManifestPath } from '../arrow-names.js';
import { readAnyManifest } from '../files/manifest.js';
import { SHARD_KIND } from './shard.js';

/**
 * Whether the manifest of an `.arrow` file is of a shard: files of episodes may be in the same folder. A file with a
 * damaged manifest counts as a shard, so that reading it reports the damage.
 */
export async function isShard(path: string): Promise<boolean> {
  return readAnyManifest(arrowManifestPath(path)).then(
    ({ kind }) => kind === SHARD_KIND,
    () => true,
  );
}
