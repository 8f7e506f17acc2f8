import type { ShardJob } from '../self-play/shard-job.js';
import type { RunJobsOptions } from './worker-pool.js';

/** Counts the games of a call of `playShards`, for its `onGame`. */
export class GameCount {
  private readonly jobs: readonly ShardJob[];
  private readonly options: RunJobsOptions;
  /** Finished games by index of the job; null for jobs that have not begun. */
  private readonly finished: (number | null)[];
  /** Games of shards that existed before the call. */
  private foundGames = 0;

  constructor(jobs: readonly ShardJob[], options: RunJobsOptions) {
    this.jobs = jobs;
    this.options = options;
    this.finished = jobs.map(() => null);
  }

  /** A job began, or begins again. */
  begin(index: number): void {
    this.finished[index] ??= 0;
  }

  /** Sets the number of finished games of a job. */
  set(index: number, games: number): void {
    this.finished[index] = games;
    const sum = this.finished.reduce<number>((total, each) => total + (each ?? 0), 0);
    this.options.onGame?.(sum, this.planned());
  }

  /** Sets the number of finished games of a job, unless it was reported greater before. */
  raise(index: number, games: number): void {
    this.set(index, Math.min(this.jobs[index]!.games, Math.max(this.finished[index] ?? 0, games)));
  }

  /** Leaves out a job whose shard existed. */
  leaveOut(index: number): void {
    this.finished[index] = null;
    this.foundGames += this.jobs[index]!.games;
  }

  private planned(): number {
    const isStopped = this.options.signal?.aborted === true;
    const counted = this.jobs.filter((_job, index) => !isStopped || this.finished[index] !== null);
    const games = counted.reduce((sum, job) => sum + job.games, 0);
    return isStopped ? games : games - this.foundGames;
  }
}
