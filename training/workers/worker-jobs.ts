import type { MatchJob } from '../matches/match-job.js';
import type { PlayedGames } from '../matches/match.js';
import type { Balance } from '../openings/balance.js';
import type { OpeningJob } from '../openings/opening-job.js';
import type { ShardJob } from '../self-play/shard-job.js';
import type { ShardReport } from '../self-play/shard-play.js';

/** The jobs of a worker process, by method, with their results. */
export interface WorkerMethods {
  readonly playShard: { readonly job: ShardJob; readonly result: ShardReport };
  readonly judgeOpenings: { readonly job: OpeningJob; readonly result: readonly Balance[] };
  readonly playMatch: { readonly job: MatchJob; readonly result: PlayedGames };
}

/** A job and its method. */
type NamedJob = {
  readonly [M in keyof WorkerMethods]: { readonly method: M; readonly job: WorkerMethods[M]['job'] };
}[keyof WorkerMethods];

/** A request to a worker process: one job. Its notes are the number of games that have ended. */
export type JobRequest = NamedJob & {
  /** Absolute paths of the modules of games from outside, which the process loads first. */
  readonly gameModules: readonly string[];
};

/** The result of a job. */
export type JobResult = WorkerMethods[keyof WorkerMethods]['result'];
