import type { MatchJob } from '../matches/match-job.js';
import type { MatchGame } from '../matches/match-game.js';
import type { Balance } from '../openings/balance.js';
import type { OpeningJob } from '../openings/opening-job.js';
import type { FingerprintJob } from '../self-play/fingerprint-job.js';
import type { ShardJob } from '../self-play/shard-job.js';
import type { ForeignShard } from '../self-play/foreign-shard/foreign-shard.js';
import type { ShardReport } from '../self-play/shard-play.js';

/** The jobs of a worker process, by method, with their results and the notes that it sends during the job. */
export interface WorkerMethods {
  /** Notes: the number of games that have ended. */
  readonly playShard: { readonly job: ShardJob; readonly result: ShardReport; readonly note: number };
  /** Notes: the number of judged openings. */
  readonly judgeOpenings: {
    readonly job: OpeningJob;
    readonly result: readonly Balance[];
    readonly note: number;
  };
  /** Notes: each game, when it ends. */
  readonly playMatch: { readonly job: MatchJob; readonly result: null; readonly note: MatchGame };
  /** Result: the fault of the shard; null if there is none. */
  readonly judgeShard: { readonly job: ForeignShard; readonly result: string | null; readonly note: never };
  readonly fingerprint: { readonly job: FingerprintJob; readonly result: string; readonly note: never };
}

/** A job and its method. */
export type NamedJob = {
  readonly [M in keyof WorkerMethods]: { readonly method: M; readonly job: WorkerMethods[M]['job'] };
}[keyof WorkerMethods];

/** A request to a worker process: one job. */
export type JobRequest = NamedJob & {
  /** Absolute paths of the modules of games from outside, which the process loads first. */
  readonly gameModules: readonly string[];
};

/** The result of a job. */
export type JobResult = WorkerMethods[keyof WorkerMethods]['result'];

/** A note on a job in progress. */
export type JobNote = WorkerMethods[keyof WorkerMethods]['note'];
