import { basename, dirname, join } from 'node:path';

const SHARD_NAME = /^shard-\d+\.arrow$/;

/** File name of a shard: `shard-000012.arrow`. Names sort like their numbers. */
export function shardName(index: number): string {
  return `shard-${String(index).padStart(6, '0')}.arrow`;
}

/** Whether a file name is one of `shardName`. */
export function isShardName(name: string): boolean {
  return SHARD_NAME.test(name);
}

/** Path of the manifest of the shard or episodes at `path`: `shard-000012.json` for `shard-000012.arrow`. */
export function arrowManifestPath(path: string): string {
  return join(dirname(path), `${basename(path, '.arrow')}.json`);
}

/** Whether a file name is that of the manifest of a shard. */
export function isShardManifestName(name: string): boolean {
  return name.endsWith('.json') && isShardName(name.replace(/json$/, 'arrow'));
}
