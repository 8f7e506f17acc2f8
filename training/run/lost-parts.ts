import { exists } from '../../data/files/atomic-file.js';
import { isLockHere } from '../../data/files/lock.js';
import { checkpointManifestPath } from '../checkpoints/checkpoint-files.js';
import { lostShards } from './learnt-shards.js';
import { type LostPart, lostRecords } from './lost-records.js';
import { removedGenerations } from './removed-parts.js';
import { listCheckpoints, type RunPaths } from './run-paths.js';
import { readRecords, type RecordReader } from './run-record-file.js';
import type { MetricsRecord } from './run-records.js';

function unexplained({ removals }: RunPaths): string {
  return `and ${removals} does not list it`;
}

/** The lost games of each generation, except removed ones. */
async function lostData(
  paths: RunPaths,
  records: readonly MetricsRecord[],
  read: RecordReader,
): Promise<ReadonlyMap<number, readonly LostPart[]>> {
  const removed = await removedGenerations(paths, 'data', read);
  const lost = new Map<number, readonly LostPart[]>();
  for (const record of records) {
    const { generation } = record;
    // Generation 0 has no games.
    if (generation === 0 || removed.has(generation)) continue;
    const path = paths.data(generation);
    const message = `generation ${generation} has no data ${path}, ${unexplained(paths)}`;
    const parts = (await exists(path)) ? await lostShards(paths, record) : [{ path, message }];
    if (parts.length > 0) lost.set(generation, parts);
  }
  return lost;
}

/**
 * Generations, ascending, with shards that are missing and were not removed by the retention rule.
 *
 * @throws TrainingError `run-damaged` for records; DataError for files that cannot be read.
 */
export async function generationsWithLostData(paths: RunPaths): Promise<readonly number[]> {
  const lost = await lostData(paths, await readRecords(paths, 'metrics'), readRecords);
  return [...lost.keys()].sort((a, b) => a - b);
}

/** Whether the run ended after it wrote the record of `generation`, the newest, and before it wrote the checkpoint. */
async function isBeforeCheckpoint(paths: RunPaths, generation: number, read: RecordReader): Promise<boolean> {
  // A running process holds a lock, and a killed process leaves it behind.
  if (!(await isLockHere(paths.folder)) || (await exists(paths.data(generation + 1)))) return false;
  const later = [...(await read(paths, 'gates')), ...(await read(paths, 'evaluations'))];
  return !later.some((record) => record.generation >= generation);
}

/** Checkpoints that are gone, and those without a manifest. */
async function lostCheckpoints(
  paths: RunPaths,
  records: readonly MetricsRecord[],
  read: RecordReader,
): Promise<readonly LostPart[]> {
  const lost: LostPart[] = [];
  const checkpoints = await listCheckpoints(paths);
  const newest = checkpoints.at(-1) ?? 0;
  const last = Math.max(0, ...records.map(({ generation }) => generation));
  // The record of a generation is written before its checkpoint.
  const isOpen = last > newest && (await isBeforeCheckpoint(paths, last, read));
  const removed = await removedGenerations(paths, 'checkpoint', read);
  if (newest + last > 0 && !checkpoints.includes(0)) {
    const path = paths.checkpoint(0);
    lost.push({ path, message: `expected generation 0 in ${path}: it is never removed` });
  }
  for (const generation of checkpoints) {
    const path = checkpointManifestPath(paths.checkpoint(generation));
    if (!(await exists(path))) lost.push({ path, message: `expected ${path}, found none` });
  }
  for (const { generation } of records) {
    const isGone = !checkpoints.includes(generation) && !removed.has(generation);
    if (!isGone || (isOpen && generation === last)) continue;
    const path = paths.checkpoint(generation);
    const message = `generation ${generation} has no checkpoint ${path}, ${unexplained(paths)}`;
    lost.push({ path, message });
  }
  return lost;
}

/**
 * Parts of generations that are missing and were not removed by the retention rule, and missing lines of
 * `metrics.jsonl`.
 *
 * @param read reads the records; a reader that skips damaged lines finds the losses that the intact lines show.
 * @throws TrainingError `run-damaged` for records; DataError for files that cannot be read.
 */
export async function lostParts(
  paths: RunPaths,
  read: RecordReader = readRecords,
): Promise<readonly LostPart[]> {
  const newest = (await listCheckpoints(paths)).at(-1) ?? 0;
  const records = await read(paths, 'metrics');
  const lostGames = await lostData(paths, records, read);
  return [
    ...lostRecords(paths, records, newest),
    ...(await lostCheckpoints(paths, records, read)),
    ...[...lostGames.values()].flat(),
  ];
}
