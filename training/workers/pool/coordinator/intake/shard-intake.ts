import { temporaryPath, writeFileAtomic } from '../../../../../data/files/atomic-file.js';
import { whileUnfinished } from '../../../../../data/files/unfinished-paths.js';
import { writeShardBytes } from '../../../../../data/shards/shard.js';
import { createGame } from '../../../../../env/games.js';
import type { ForeignShard } from '../../../../self-play/foreign-shard/foreign-shard.js';
import { MAX_GAME_EVALUATIONS } from '../../../../self-play/foreign-shard/statistics-check.js';
import { shardDetails, type ShardReport } from '../../../../self-play/shard-play.js';
import { sumStatistics } from '../../../../self-play/self-play-statistics.js';
import type { ShardJob } from '../../../../self-play/shard-job.js';
import type { ProcessPool } from '../../../process-pool.js';
import type { ForeignProcessor } from '../job-batch.js';
import { type JobOutcome, MAX_SECONDS } from '../../wire/pool-messages.js';
import { Lie } from './lie.js';
import { gamesToReplay } from './replayed-games.js';

/** Bytes of a shard besides its rows. */
const SHARD_FRAME_BYTES = 2 ** 16;
/** Bytes of a row besides its position and actions. */
const ROW_BYTES = 64;
const MAX_SHARD_BYTES = 512 * 2 ** 20;

/**
 * Maximum size of the shard of a job: every game lasts to the ply limit, and every action is legal in each position.
 */
export function maxShardBytes(job: ShardJob): number {
  const game = createGame(job.game.id, job.game.rules);
  const row = 2 * game.packedSize + 6 * game.maxLegalActions + ROW_BYTES;
  return Math.min(MAX_SHARD_BYTES, SHARD_FRAME_BYTES + job.games * game.plyLimit * row);
}

/** A shard that a worker has sent. */
export interface SentShard {
  readonly job: ShardJob;
  readonly content: Uint8Array;
  readonly outcome: Extract<JobOutcome, { kind: 'shard' }>;
  /** Share of its games that are replayed, in [0, 1]. */
  readonly share: number;
  /** Null if the worker evaluates networks exactly like this machine. */
  readonly foreign: ForeignProcessor | null;
}

/**
 * Judges a shard in a process of this machine.
 *
 * @returns the number of replayed games.
 * @throws Lie with what is wrong; DataError for the disk; TrainingError `worker-died`.
 */
export async function judgeSentShard(
  pool: ProcessPool,
  { job, content, outcome, share, foreign }: SentShard,
): Promise<number> {
  const { games, effort } = outcome;
  const evaluations = effort.networkEvaluations + effort.cacheHits;
  if (evaluations > job.games * MAX_GAME_EVALUATIONS || effort.seconds > MAX_SECONDS)
    throw new Lie(`${evaluations} evaluations in ${effort.seconds} s for ${job.games} games`);
  const replayed = gamesToReplay(job, share);
  const file = temporaryPath(job.path);
  const judged: ForeignShard = { job, file, games, replayed, kernels: foreign?.kernels ?? 'native' };
  const problem = await whileUnfinished(file, async () => {
    await writeFileAtomic(file, content);
    return pool.run('judgeShard', judged);
  });
  if (problem !== null) throw new Lie(problem);
  return replayed.length;
}

/**
 * Writes a judged shard to the job's path, with the bytes of a local shard.
 *
 * @throws DataError `disk-full`, `write-failed`.
 */
export async function keepShard({ job, content, outcome, foreign }: SentShard): Promise<ShardReport> {
  const { games, effort } = outcome;
  const statistics = sumStatistics(games);
  const processor = foreign === null ? {} : { processor: { ...foreign } };
  await writeShardBytes(job.path, content, { ...shardDetails(job, statistics), ...processor });
  return { path: job.path, statistics, effort, games };
}
