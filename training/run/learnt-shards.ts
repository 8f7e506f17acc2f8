import { basename, join } from 'node:path';
import { DataError } from '../../data/data-error.js';
import { listedFile, type Manifest, readManifest } from '../../data/files/manifest.js';
import { SHARD_KIND } from '../../data/shards/shard.js';
import { arrowManifestPath } from '../../data/arrow-names.js';
import { TrainingError } from '../training-error.js';
import { type LostPart, missingLine } from './lost-records.js';
import type { RunPaths } from './run-paths.js';
import type { LearntShard, MetricsRecord } from './run-records.js';

type ShardList = Pick<MetricsRecord, 'generation' | 'shards'>;

/**
 * The shards at `paths`, with the checksums in their manifests.
 *
 * @throws DataError as `readManifest` and `listedFile` do.
 */
export async function learntShards(paths: readonly string[]): Promise<readonly LearntShard[]> {
  const shards: LearntShard[] = [];
  for (const path of paths) {
    const manifest = await readManifest(arrowManifestPath(path), SHARD_KIND);
    shards.push({ name: basename(path), sha256: listedFile(manifest, path).sha256 });
  }
  return shards;
}

/** The shard's manifest; null if it does not exist, undefined if it is damaged, which readers of the shard report. */
async function manifestOf(path: string): Promise<Manifest | null | undefined> {
  return readManifest(arrowManifestPath(path), SHARD_KIND).catch((error: unknown) => {
    if (!(error instanceof DataError)) throw error;
    return error.code === 'manifest-missing' ? null : undefined;
  });
}

async function lostShard(folder: string, { name, sha256 }: LearntShard): Promise<readonly LostPart[]> {
  const path = join(folder, name);
  const manifest = await manifestOf(path);
  if (manifest === undefined) return [];
  if (manifest === null) {
    const lost = arrowManifestPath(path);
    return [{ path: lost, message: `expected the shard ${path}, found no ${lost}` }];
  }
  const found = manifest.files[name]?.sha256;
  if (found === sha256) return [];
  return [{ path, message: `expected SHA-256 ${sha256} of ${path}, its manifest has ${found ?? 'none'}` }];
}

/**
 * The lost or changed shards from which a generation has learnt.
 *
 * @throws DataError for manifests that cannot be read.
 */
export async function lostShards(
  paths: Pick<RunPaths, 'data'>,
  { generation, shards }: ShardList,
): Promise<readonly LostPart[]> {
  const lost: LostPart[] = [];
  for (const shard of shards) lost.push(...(await lostShard(paths.data(generation), shard)));
  return lost;
}

/**
 * Paths of the shards from which an earlier generation learnt, in order, as listed in its line of `metrics.jsonl`;
 * other shards in the folder are ignored.
 *
 * @throws TrainingError `run-damaged` if a shard is gone or changed, or the line is missing; DataError for manifests
 *   that cannot be read.
 */
export async function findLearntShards(
  paths: Pick<RunPaths, 'data' | 'metrics'>,
  records: readonly ShardList[],
  generation: number,
): Promise<readonly string[]> {
  const record = records.find((each) => each.generation === generation);
  if (record === undefined) throw new TrainingError('run-damaged', missingLine(paths, generation).message);
  const [loss] = await lostShards(paths, record);
  if (loss !== undefined) {
    throw new TrainingError(
      'run-damaged',
      `${loss.message}: generation ${generation} learnt from it, and later ones need it. Restore it from a copy; ` +
        'a missing shard is played again when the run is resumed, if the network that played it still exists',
    );
  }
  return record.shards.map(({ name }) => join(paths.data(generation), name));
}
