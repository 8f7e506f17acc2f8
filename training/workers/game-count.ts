import type { ShardJob } from '../self-play/shard-job.js';
import type { RunJobsOptions } from './worker-pool.js';

/** Counts the games of a call of `playShards`, for its `onGame`. */
export class GameCount {
  private readonly options: RunJobsOptions;
  /** Games to play by index of the job. */
  private readonly planned: number[];
  /** Finished games by index of the job; null for jobs that have not begun. */
  private readonly finished: (number | null)[];

  constructor(jobs: readonly ShardJob[], options: RunJobsOptions) {
    this.options = options;
    this.planned = jobs.map(({ games }) => games);
    this.finished = jobs.map(() => null);
  }

  /** A job began, or begins again. */
  begin(index: number): void {
    this.finished[index] ??= 0;
  }

  /** Sets the number of finished games of a job. */
  set(index: number, games: number): void {
    this.finished[index] = games;
    const { onGame, signal } = this.options;
    const isStopped = signal?.aborted === true;
    let finished = 0;
    let planned = 0;
    for (const [at, done] of this.finished.entries()) {
      finished += done ?? 0;
      if (!isStopped || done !== null) planned += this.planned[at]!;
    }
    onGame?.(finished, planned);
  }

  /** Sets the number of finished games of a job, unless it was reported greater before. */
  raise(index: number, games: number): void {
    this.set(index, Math.min(this.planned[index]!, Math.max(this.finished[index] ?? 0, games)));
  }

  /** Leaves out a job whose shard existed. */
  leaveOut(index: number): void {
    this.planned[index] = 0;
  }
}
