import { basename, join } from 'node:path';
import { exists } from '../../data/files/atomic-file.js';
import { DataError } from '../../data/data-error.js';
import { listedFile, type Manifest, readManifest } from '../../data/files/manifest.js';
import { listShards, SHARD_KIND, shardManifestPath, shardName } from '../../data/shards/shard.js';
import { TrainingError } from '../training-error.js';
import { missingGenerations, readRecords } from './run-record-file.js';
import type { RunPaths } from './run-folder.js';
import type { LearntShard, MetricsRecord } from './run-records.js';
import { GameStatistics } from '../self-play/self-play-statistics.js';

/** A part of a run that is gone, or another than it was. */
export interface Loss {
  /** Where it was. */
  readonly path: string;
  /** Names the path too. */
  readonly message: string;
}

/** What is known of a generation's games; lines of earlier versions do not name shards. */
type LearntRecord = Pick<MetricsRecord, 'generation'> & Partial<Pick<MetricsRecord, 'games' | 'shards'>>;

/** The shards by their manifests. Throws what `readManifest` and `listedFile` throw. */
export async function learntShards(paths: readonly string[]): Promise<readonly LearntShard[]> {
  const shards: LearntShard[] = [];
  for (const path of paths) {
    const manifest = await readManifest(shardManifestPath(path), SHARD_KIND);
    shards.push({ name: basename(path), sha256: listedFile(manifest, path).sha256 });
  }
  return shards;
}

/** The shard's manifest; null where there is none; undefined where it is damaged, which whoever reads the shard tells. */
async function manifestOf(path: string): Promise<Manifest | null | undefined> {
  return readManifest(shardManifestPath(path), SHARD_KIND).catch((error: unknown) => {
    if (!(error instanceof DataError)) throw error;
    return error.code === 'manifest-missing' ? null : undefined;
  });
}

async function lossOf(folder: string, { name, sha256 }: LearntShard): Promise<readonly Loss[]> {
  const path = join(folder, name);
  const manifest = await manifestOf(path);
  if (manifest === undefined) return [];
  if (manifest === null) {
    const lost = shardManifestPath(path);
    return [{ path: lost, message: `expected the shard ${path}, found no ${lost}` }];
  }
  const found = manifest.files[name]?.sha256;
  if (found === sha256) return [];
  return [{ path, message: `expected SHA-256 ${sha256} of ${path}, its manifest has ${found ?? 'none'}` }];
}

/** Of lines that do not name their shards: whether all games are there, by the manifests. */
async function lossOfGames(folder: string, expected: number): Promise<readonly Loss[]> {
  const shards = (await exists(folder)) ? await listShards(folder) : [];
  let games = 0;
  for (const path of shards) {
    const statistics = GameStatistics.safeParse((await manifestOf(path))?.details['statistics']).data;
    // Damaged, or of a tool that does not count: nobody can tell what is missing.
    if (statistics === undefined) return [];
    games += statistics.games;
  }
  if (games >= expected) return [];
  const names = new Set(shards.map((path) => basename(path)));
  const gap = shards.findIndex((_, index) => !names.has(shardName(index)));
  const lost = shardManifestPath(join(folder, shardName(gap === -1 ? shards.length : gap)));
  return [{ path: lost, message: `expected ${expected} games in ${folder}, found ${games}: no ${lost}` }];
}

/** Shards that the generation of a record has learnt from and that are gone, or others than they were. */
export async function lostShards(
  paths: Pick<RunPaths, 'data'>,
  { generation, games, shards }: LearntRecord,
): Promise<readonly Loss[]> {
  const folder = paths.data(generation);
  if (shards === undefined) return games === undefined ? [] : lossOfGames(folder, games.games);
  const losses: Loss[] = [];
  for (const shard of shards) losses.push(...(await lossOf(folder, shard)));
  return losses;
}

/**
 * Paths of the shards that an earlier generation learnt from, in order: those that its line of `metrics.jsonl` names, and no
 * others that may lie there.
 *
 * @throws TrainingError `run-damaged` where one is gone or another than it was, or where there is no line; what
 *   `listShards` throws.
 */
export async function findLearntShards(
  paths: Pick<RunPaths, 'data' | 'metrics'>,
  records: readonly LearntRecord[],
  generation: number,
): Promise<readonly string[]> {
  const record = records.find((each) => each.generation === generation);
  if (record === undefined) throw new TrainingError('run-damaged', missingLine(paths, generation).message);
  const [loss] = await lostShards(paths, record);
  if (loss !== undefined) {
    throw new TrainingError(
      'run-damaged',
      `${loss.message}: generation ${generation} learnt from it, and later ones are to. Put it back from a copy; ` +
        'one that is gone is played again when the run is resumed, if the network that played it is there',
    );
  }
  const folder = paths.data(generation);
  return record.shards?.map(({ name }) => join(folder, name)) ?? listShards(folder);
}

function missingLine({ metrics }: Pick<RunPaths, 'metrics'>, generation: number): Loss {
  return { path: metrics, message: `expected a line of generation ${generation} in ${metrics}` };
}

/** Lines of `metrics.jsonl` that are missing up to generation `newest`: nothing but a loss explains it, none is ever removed. */
export function lostRecords(
  paths: Pick<RunPaths, 'metrics'>,
  records: readonly Pick<MetricsRecord, 'generation'>[],
  newest: number,
): readonly Loss[] {
  return missingGenerations(records, newest).map((generation) => missingLine(paths, generation));
}

/**
 * Throws TrainingError `run-damaged` where a line of `metrics.jsonl` is missing of a generation up to `newest`, the newest
 * checkpoint; what `readRecords` throws.
 */
export async function expectWholeMetrics(paths: Pick<RunPaths, 'metrics'>, newest: number): Promise<void> {
  const [missing] = lostRecords(paths, await readRecords(paths.metrics), newest);
  if (missing !== undefined) throw new TrainingError('run-damaged', missing.message);
}
