import type { MatchListener } from '../matches/match-game.js';
import type { MatchJob } from '../matches/match-job.js';
import type { Balance } from '../openings/balance.js';
import type { OpeningJob } from '../openings/opening-job.js';
import type { ShardJob } from '../self-play/shard-job.js';
import type { PoolSummary } from '../statistics/pool-summary.js';
import type { ShardReport } from '../self-play/shard-play.js';

/** Options of a call that runs jobs. */
export interface RunJobsOptions {
  /**
   * Called as games end, with the number of games that this call has played, and the number that it will have played in
   * the end: without those of existing shards, and after `signal` only those of the jobs in progress.
   */
  readonly onGame?: (finished: number, planned: number) => void;
  /** After it is aborted, no further job begins; those in progress are finished. */
  readonly signal?: AbortSignal;
}

/**
 * Plays games for self-play and matches in processes on this machine (process-pool.ts), or also on other machines
 * (pool/). Jobs are pure functions: a job whose process is lost is repeated from the beginning, and the bytes of its
 * games are the same wherever it is played. One call at a time.
 */
export interface WorkerPool {
  /** Number of jobs that run at once. */
  readonly processes: number;

  /** Resident memory of all processes on this machine, in bytes; null if the system does not report it. */
  residentBytes(): number | null;

  /** Counts about the other machines; absent for pools on one machine. */
  summary?(): PoolSummary;

  /**
   * Makes the shards of the jobs; existing shards are kept. After an error no further job begins, and those in progress
   * are finished first.
   *
   * @returns the reports of the finished jobs, in the order of the jobs: all of them, unless aborted.
   * @throws TrainingError `worker-died` if three processes ended over the same job; as `playShard` does.
   */
  playShards(jobs: readonly ShardJob[], options?: RunJobsOptions): Promise<readonly ShardReport[]>;

  /**
   * Plays games of a match. Once `signal` is aborted, games in progress end too, unfinished.
   *
   * @throws TrainingError `worker-died` if three processes ended over the same games; as `playMatchJob` does.
   */
  playMatch(jobs: readonly MatchJob[], listener: MatchListener, signal?: AbortSignal): Promise<void>;

  /**
   * Judges openings. Once `signal` is aborted, no further job begins.
   *
   * @returns the results of the finished jobs, in order: all of them, unless aborted.
   * @throws TrainingError `worker-died` if three processes ended over the same job; as `judgeOpenings` does.
   */
  judgeOpenings(
    jobs: readonly OpeningJob[],
    options?: Pick<RunJobsOptions, 'signal'>,
  ): Promise<readonly (readonly Balance[])[]>;

  /** Ends the processes; jobs in progress are lost and leave no shards. */
  dispose(): Promise<void>;
}
