import { exists, removeFolderAtomic } from '../../data/files/atomic-file.js';
import { isLockHere } from '../../data/files/run-lock.js';
import { checkpointManifestPath } from '../checkpoints/checkpoint-files.js';
import type { RetentionConfig } from '../config/retention-config.js';
import type { RunConfig } from '../config/run-config.js';
import { archiveGenerations } from '../self-play/archive.js';
import { findPlayingGeneration } from '../stages/gating.js';
import { type PastGeneration, pastGenerations, planReplay } from '../learning/replay-plan.js';
import { type Loss, lostRecords, lostShards } from './learnt-shards.js';
import type { EvaluationRecord, MetricsRecord } from './run-records.js';
import { readRecords, type RunRecord, writeRecord } from './run-record-file.js';
import { listCheckpoints, listData, type Run, type RunPaths } from './run-folder.js';

/** What of a generation can be removed: the `key` of a line of `removed.jsonl`. */
export type RemovablePart = 'checkpoint' | 'data';

/** A line of `removed.jsonl`: what is gone by the rule, and no damage. Written before it is removed. */
export interface RemovalRecord extends RunRecord {
  readonly key: RemovablePart;
}

/** Generations whose part was removed. Throws what `readRecords` throws. */
export async function removedGenerations(
  { removals }: Pick<RunPaths, 'removals'>,
  part: RemovablePart,
): Promise<ReadonlySet<number>> {
  const records = await readRecords<RemovalRecord>(removals);
  return new Set(records.filter(({ key }) => key === part).map(({ generation }) => generation));
}

/**
 * The generation with the greatest mean score against `opponents`; of equal ones the newest; null where none of them
 * has played all opponents.
 */
export function bestGeneration(
  generations: readonly number[],
  records: readonly Pick<EvaluationRecord, 'generation' | 'key' | 'score'>[],
  opponents: readonly string[],
): number | null {
  let best: { readonly generation: number; readonly score: number } | null = null;
  for (const generation of generations) {
    const own = records.filter(
      (record) => record.generation === generation && opponents.includes(record.key),
    );
    if (own.length === 0 || own.length < new Set(opponents).size) continue;
    const score = own.reduce((sum, record) => sum + record.score, 0) / own.length;
    if (best === null || score >= best.score) best = { generation, score };
  }
  return best?.generation ?? null;
}

/**
 * Of the generations that have a checkpoint, those whose checkpoint is to go.
 *
 * @param generations ascending; the last one and 0 stay.
 * @param best stays if `retention.best` says so.
 * @param playing plays self-play, and stays.
 */
export function obsoleteCheckpoints(
  generations: readonly number[],
  { last, every, best: keepsBest }: RetentionConfig['checkpoints'],
  best: number | null,
  playing: number,
): readonly number[] {
  const newest = generations.at(-1) ?? 0;
  if (last === 0) return [];
  return generations.filter((generation) => {
    const isRecent = generation > newest - last;
    const isMilestone = every > 0 && generation % every === 0;
    if (generation === playing) return false;
    return generation > 0 && !isRecent && !isMilestone && !(keepsBest && generation === best);
  });
}

/**
 * Generations whose games may be drawn from, or begun in, after `generation`: a window never takes one up again that it
 * has left, nor does an archive.
 *
 * @param past what `metrics.jsonl` says, ascending; later generations do not count.
 */
export function neededData(
  { replay, warmStart, selfPlay }: Pick<RunConfig, 'replay' | 'warmStart' | 'selfPlay'>,
  past: readonly PastGeneration[],
  generation: number,
): ReadonlySet<number> {
  const before = past.filter((each) => each.generation <= generation);
  // Without rows of its own the next generation takes the most from those before it.
  const plan = planReplay(replay, before, { generation: generation + 1, rows: 0 }, warmStart.games > 0);
  const archive = archiveGenerations(selfPlay.starts, generation + 1);
  return new Set([...plan.generations, ...archive, ...(plan.warmStartShare > 0 ? [1] : [])]);
}

async function remove({ paths }: Run, generation: number, key: RemovablePart): Promise<void> {
  // First said, then done: so a part that is missing without a word is a loss.
  const record: RemovalRecord = { generation, key };
  await writeRecord(paths.removals, record);
  await removeFolderAtomic(key === 'data' ? paths.data(generation) : paths.checkpoint(generation));
}

/**
 * Removes what `retention` does not keep, once `generation`, the newest, is learnt and evaluated. Whatever the rule
 * says, generation 0, the newest checkpoint, the one that plays self-play and the games that a later generation may learn from stay. What was removed
 * is in `removed.jsonl`.
 *
 * @throws DataError `write-failed`, `disk-full`; TrainingError `run-damaged` for records.
 */
export async function removeObsolete(run: Run, generation: number): Promise<void> {
  const { paths, config } = run;
  const { retention, evaluation } = config;
  const checkpoints = await listCheckpoints(paths);
  if (checkpoints.at(-1) !== generation) return;
  const evaluations = await readRecords<EvaluationRecord>(paths.evaluations);
  const best = bestGeneration(checkpoints.slice(1), evaluations, evaluation.opponents);
  const playing = await findPlayingGeneration(run, generation);
  for (const old of obsoleteCheckpoints(checkpoints, retention.checkpoints, best, playing)) {
    await remove(run, old, 'checkpoint');
  }
  const { last } = retention.data;
  if (last === 0) return;
  const needed = neededData(
    config,
    pastGenerations(await readRecords<MetricsRecord>(paths.metrics)),
    generation,
  );
  for (const old of await listData(paths)) {
    if (old <= generation - last && !needed.has(old)) await remove(run, old, 'data');
  }
}

/** Whether the run of the newest record was ended between that and its checkpoint: nothing that comes after is there. */
async function isBeforeCheckpoint(paths: RunPaths, generation: number): Promise<boolean> {
  // A process that was killed leaves its lock, and one that runs has it.
  if (!(await isLockHere(paths.folder)) || (await exists(paths.data(generation + 1)))) return false;
  const later = [...(await readRecords(paths.gates)), ...(await readRecords(paths.evaluations))];
  return !later.some((record) => record.generation >= generation);
}

/** What is gone of the games of each generation that has lost some, removed ones aside. */
async function lossesOfData(
  paths: RunPaths,
  records: readonly MetricsRecord[],
): Promise<ReadonlyMap<number, readonly Loss[]>> {
  const removed = await removedGenerations(paths, 'data');
  const losses = new Map<number, readonly Loss[]>();
  for (const record of records) {
    const { generation } = record;
    // Generation 0 has no games.
    if (generation === 0 || removed.has(generation)) continue;
    const path = paths.data(generation);
    const message = `generation ${generation} has no data ${path}, ${unexplained(paths)}`;
    const lost = (await exists(path)) ? await lostShards(paths, record) : [{ path, message }];
    if (lost.length > 0) losses.set(generation, lost);
  }
  return losses;
}

function unexplained({ removals }: RunPaths): string {
  return `and ${removals} does not say why`;
}

/** Generations, ascending, with shards that are gone and were not removed by the rule. Throws what `readRecords` throws. */
export async function generationsWithLosses(paths: RunPaths): Promise<readonly number[]> {
  const losses = await lossesOfData(paths, await readRecords<MetricsRecord>(paths.metrics));
  return [...losses.keys()].sort((a, b) => a - b);
}

/**
 * Parts of generations that are neither there nor removed by the rule, lines of `metrics.jsonl` too.
 *
 * @throws what `readRecords` throws.
 */
export async function lostParts(paths: RunPaths): Promise<readonly Loss[]> {
  const checkpoints = await listCheckpoints(paths);
  const newest = checkpoints.at(-1) ?? 0;
  const records = await readRecords<MetricsRecord>(paths.metrics);
  const losses = [...lostRecords(paths, records, newest)];
  // The record of a generation is written before its checkpoint.
  const last = Math.max(0, ...records.map(({ generation }) => generation));
  const isOpen = last > newest && (await isBeforeCheckpoint(paths, last));
  const removed = await removedGenerations(paths, 'checkpoint');
  const there = new Set(checkpoints);
  if (newest + last > 0 && !there.has(0)) {
    const path = paths.checkpoint(0);
    losses.push({ path, message: `expected generation 0 in ${path}: it is never removed` });
  }
  for (const generation of checkpoints) {
    const path = checkpointManifestPath(paths.checkpoint(generation));
    if (!(await exists(path))) losses.push({ path, message: `expected ${path}, found none` });
  }
  for (const { generation } of records) {
    const isMissing = !there.has(generation) && !removed.has(generation);
    if (isMissing && !(isOpen && generation === last)) {
      const path = paths.checkpoint(generation);
      losses.push({
        path,
        message: `generation ${generation} has no checkpoint ${path}, ${unexplained(paths)}`,
      });
    }
  }
  const lostData = await lossesOfData(paths, records);
  return [...losses, ...[...lostData.values()].flat()];
}
