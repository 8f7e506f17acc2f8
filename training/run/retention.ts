import { removeFolderAtomic } from '../../data/files/atomic-file.js';
import type { RetentionConfig } from '../config/groups/retention-config.js';
import type { RunConfig } from '../config/run-config.js';
import { type PastGeneration, pastGenerations, planReplay } from '../learning/replay-plan.js';
import { findPlayingGeneration } from './gate-records.js';
import type { Run } from './run-folder.js';
import { listCheckpoints, listData } from './run-paths.js';
import { readRecords, writeRecord } from './run-record-file.js';
import { ladderOfRun } from './measures/run-ladder.js';
import type { RemovablePart } from './run-records.js';

/** Ratings that differ by less are equal except for rounding. */
const EQUAL_ELO = 1e-6;

/**
 * The generation with the highest rating by the run's matches (run-ladder.ts), the newest of equal ones; null if none
 * has played.
 *
 * @param generations to choose from, ascending.
 */
export function bestGeneration(
  generations: readonly number[],
  evaluations: Parameters<typeof ladderOfRun>[0],
): number | null {
  const players = ladderOfRun(evaluations)?.standings.players ?? [];
  let best: { readonly generation: number; readonly rating: number } | null = null;
  for (const generation of generations) {
    const rating = players.find((player) => player.generation === generation)?.rating ?? null;
    if (rating !== null && rating >= (best?.rating ?? -Infinity) - EQUAL_ELO) best = { generation, rating };
  }
  return best?.generation ?? null;
}

/**
 * The generations whose checkpoints the retention rule removes.
 *
 * @param generations those with a checkpoint, ascending; the last one and 0 stay.
 * @param best stays if `retention.best` is set.
 * @param playing generation that plays self-play; it stays.
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
 * Generations whose games may be sampled after `generation`: a generation that has left the window never returns to it.
 *
 * @param past by `metrics.jsonl`, ascending; later generations do not count.
 */
export function neededData(
  { replay, warmStart }: Pick<RunConfig, 'replay' | 'warmStart'>,
  past: readonly PastGeneration[],
  generation: number,
): ReadonlySet<number> {
  const before = past.filter((each) => each.generation <= generation);
  // The fewer rows the next generation has, the more earlier generations it needs: the worst case is no rows.
  const plan = planReplay(replay, before, { generation: generation + 1, rows: 0 }, warmStart.games > 0);
  return new Set([...plan.generations, ...(plan.warmStartShare > 0 ? [1] : [])]);
}

async function remove({ paths }: Run, generation: number, key: RemovablePart): Promise<void> {
  // The record comes first: a missing part without a record counts as a loss.
  await writeRecord(paths, 'removals', { generation, key });
  await removeFolderAtomic(key === 'data' ? paths.data(generation) : paths.checkpoint(generation));
}

/**
 * Removes the parts that `retention` does not keep, once `generation`, the newest, has been learnt and evaluated.
 * Generation 0, the newest checkpoint, the one that plays self-play and the games from which a later generation may
 * learn are always kept. `removed.jsonl` lists the removed parts.
 *
 * @throws DataError `write-failed`, `disk-full`; TrainingError `run-damaged` for records.
 */
export async function removeObsolete(run: Run, generation: number): Promise<void> {
  const { paths, config } = run;
  const { retention } = config;
  const checkpoints = await listCheckpoints(paths);
  if (checkpoints.at(-1) !== generation) return;
  const evaluations = await readRecords(paths, 'evaluations');
  const best = bestGeneration(checkpoints.slice(1), evaluations);
  const playing = await findPlayingGeneration(run, generation);
  for (const old of obsoleteCheckpoints(checkpoints, retention.checkpoints, best, playing)) {
    await remove(run, old, 'checkpoint');
  }
  const { last } = retention.data;
  if (last === 0) return;
  const needed = neededData(config, pastGenerations(await readRecords(paths, 'metrics')), generation);
  for (const old of await listData(paths)) {
    if (old <= generation - last && !needed.has(old)) await remove(run, old, 'data');
  }
}
