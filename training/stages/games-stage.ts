import { exists, makeFolder, removeStaleTemporaries } from '../../data/files/atomic-file.js';
import { findPlayingGeneration } from '../run/gate-records.js';
import { learntShards } from '../run/learnt-shards.js';
import { generationsWithLostData } from '../run/lost-parts.js';
import type { Run } from '../run/run-folder.js';
import type { MetricsRecord } from '../run/run-records.js';
import { sumStatistics } from '../self-play/self-play-statistics.js';
import type { ShardReport } from '../self-play/shard-play.js';
import { planShards, type ShardPlan } from '../self-play/shard-job.js';
import { sumEffort } from '../self-play/job-effort.js';
import { planGeneration } from './games-plan.js';
import type { LoopServices, StageEnd } from './loop-services.js';
import { countOf } from '../../env/text/count-of.js';

type GameServices = Pick<LoopServices, 'pool' | 'observer' | 'signal'>;

/** The games of a generation, as its line of `metrics.jsonl` describes them. */
export type PlayedGeneration = Pick<MetricsRecord, 'games' | 'effort' | 'shards'>;

/** Result of the stage, with the games if it is done. */
export type GamesResult =
  { readonly end: 'done'; readonly played: PlayedGeneration } | { readonly end: 'stopped' };

function describePlayer({ source, generation }: ShardPlan): string {
  if (source.kind === 'agent') return source.config.agent;
  const { teacher } = source.config;
  return `generation ${generation}${teacher === undefined ? '' : `, judged by ${teacher}`}`;
}

/**
 * Plays the games from which `generation` learns; existing shards are kept.
 *
 * @throws as `planGeneration` and `WorkerPool.playShards` do.
 */
export async function playGeneration(
  run: Run,
  generation: number,
  { pool, observer, signal }: GameServices,
): Promise<GamesResult> {
  if (signal.aborted) return { end: 'stopped' };
  const plan = await planGeneration(run, generation);
  observer.onStage('games', generation, `${countOf(plan.games, 'game')} by ${describePlayer(plan)}`);
  await makeFolder(plan.folder);
  await removeStaleTemporaries(plan.folder);
  const jobs = await planShards(plan);
  const reports = await pool.playShards(jobs, {
    signal,
    onGame: (finished, planned) => {
      observer.onProgress(finished, planned);
    },
  });
  if (reports.length < jobs.length) return { end: 'stopped' };
  const isNew = ({ effort }: ShardReport): boolean => effort !== null;
  const { games, positions } = sumStatistics(reports.filter(isNew).map(({ statistics }) => statistics));
  const played = {
    games: sumStatistics(reports.map(({ statistics }) => statistics)),
    effort: { ...sumEffort(reports), games, positions },
    shards: await learntShards(jobs.map(({ path }) => path)),
  };
  return { end: 'done', played };
}

/**
 * Replays the games of missing shards, to the same bytes, if the network that played them still exists.
 *
 * @throws as `playGeneration` does.
 */
export async function replayLostGames(run: Run, services: GameServices): Promise<StageEnd> {
  const { paths } = run;
  for (const generation of await generationsWithLostData(paths)) {
    const player = await findPlayingGeneration(run, generation - 1);
    if (!(await exists(paths.checkpoint(player)))) continue;
    const { end } = await playGeneration(run, generation, services);
    if (end === 'stopped') return end;
  }
  return 'done';
}
