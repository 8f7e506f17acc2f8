import type { PlayedGames } from '../matches/match.js';
import type { MatchJob } from '../matches/match-job.js';
import type { ShardJob } from '../self-play/shard-job.js';
import type { ShardReport } from '../self-play/shard-play.js';
import type { WorkerAnswer } from './worker-failure.js';

/** What a process can be asked to do: a job, and what comes of it. */
export interface WorkerMethods {
  readonly playShard: { readonly job: ShardJob; readonly result: ShardReport };
  readonly playMatch: { readonly job: MatchJob; readonly result: PlayedGames };
}

/** A job to be done; a process does one at a time. */
export type JobOrder = {
  readonly [M in keyof WorkerMethods]: { readonly method: M; readonly job: WorkerMethods[M]['job'] };
}[keyof WorkerMethods];

/** What a process is told, as JSON: a job, or to show that it hears. */
export type WorkerOrder = JobOrder | 'ping';

/** What a process tells, as JSON: that it hears, games of its job that have ended, what came of the job. */
export type WorkerReport = 'pong' | { readonly finishedGames: number } | WorkerAnswer<unknown>;
