import workerpool, { type Pool } from 'workerpool';
import { compiledModule } from './compiled-module.js';
import { TrainingError } from '../errors.js';
import { type MatchResult, type PlayedGames, summariseMatch } from '../matches/match.js';
import { divideMatch, type MatchJob } from '../matches/match-job.js';
import type { ShardJob } from '../self-play/shard-job.js';
import type { ShardReport } from '../self-play/shard-play.js';
import { unpackFailure, type WorkerAnswer } from './worker-failure.js';

/** A job whose process ended is given to another this many times. */
const RETRIES = 1;

/** How jobs are run. */
export interface RunJobsOptions {
  /** Called as games end, with how many have, of the jobs of this call that were not done before. */
  readonly onGame?: (finished: number) => void;
  /** No job is begun after it is aborted; those under way are finished. */
  readonly signal?: AbortSignal;
}

/** What a process can be asked to do: the functions of worker.ts, by name. */
interface WorkerMethods {
  readonly playShard: { readonly job: ShardJob; readonly result: ShardReport };
  readonly playMatch: { readonly job: MatchJob; readonly result: PlayedGames };
}

function describeJob(job: ShardJob | MatchJob): string {
  if ('path' in job) return `games ${job.firstGame} to ${job.firstGame + job.games - 1} for ${job.path}`;
  return `${job.games} games of ${job.agent} against ${job.opponent}`;
}

/**
 * Single-threaded processes that play games: self-play for shards, and matches. They start with the first
 * jobs, stay until `dispose`, don't hear Ctrl-C, and end when this process does, however it does.
 */
export class WorkerPool {
  private readonly processes: number;
  private readonly pool: Pool;

  constructor(processes: number) {
    this.processes = processes;
    this.pool = workerpool.pool(compiledModule('worker'), {
      workerType: 'process',
      maxWorkers: processes,
      // A group of their own: a terminal's Ctrl-C goes to the whole group. What they print is a message.
      forkOpts: { detached: true, execArgv: [], stdio: ['ignore', 2, 2, 'ipc'] },
    });
  }

  /**
   * Makes the shards of the jobs; those that are there already are left as they are.
   *
   * Throws `TrainingError` `worker-died` when a process ended twice over the same job, and what `playShard`
   * throws; then no further job is begun, and those under way are finished first.
   *
   * @returns the reports of the jobs that are done, in the order of the jobs: all, unless aborted.
   */
  playShards(jobs: readonly ShardJob[], options: RunJobsOptions = {}): Promise<readonly ShardReport[]> {
    return this.runAll('playShard', jobs, options);
  }

  /**
   * Plays a match in all processes. The result does not depend on their number, unless an agent looks at the
   * clock; thinking times do.
   *
   * Throws `TrainingError` `worker-died`, and what `playMatchJob` throws.
   */
  async playMatch(
    match: Omit<MatchJob, 'firstPair'>,
    onGame?: (finished: number) => void,
  ): Promise<MatchResult> {
    const parts = divideMatch(match, this.processes);
    return summariseMatch(await this.runAll('playMatch', parts, { ...(onGame && { onGame }) }));
  }

  /** Ends the processes; jobs under way are lost, and their shards are not there. */
  async dispose(): Promise<void> {
    await this.pool.terminate(true);
  }

  private async runAll<M extends keyof WorkerMethods>(
    method: M,
    jobs: readonly WorkerMethods[M]['job'][],
    options: RunJobsOptions,
  ): Promise<readonly WorkerMethods[M]['result'][]> {
    const results: (WorkerMethods[M]['result'] | undefined)[] = jobs.map(() => undefined);
    const finishedGames = jobs.map(() => 0);
    let next = 0;
    let hasFailed = false;
    const lane = async (): Promise<void> => {
      while (next < jobs.length && !hasFailed && options.signal?.aborted !== true) {
        const index = next++;
        try {
          results[index] = await this.runJob(method, jobs[index]!, (finished) => {
            finishedGames[index] = finished;
            options.onGame?.(finishedGames.reduce((sum, games) => sum + games, 0));
          });
        } catch (error) {
          hasFailed = true;
          throw error;
        }
      }
    };
    const lanes = await Promise.allSettled(Array.from({ length: this.processes }, lane));
    for (const outcome of lanes) if (outcome.status === 'rejected') throw outcome.reason;
    return results.filter((result) => result !== undefined);
  }

  private async runJob<M extends keyof WorkerMethods>(
    method: M,
    job: WorkerMethods[M]['job'],
    onGame: (finished: number) => void,
  ): Promise<WorkerMethods[M]['result']> {
    for (let attempt = 0; ; attempt++) {
      let answer: WorkerAnswer<WorkerMethods[M]['result']>;
      try {
        answer = (await this.pool.exec(method, [job], { on: onGame })) as typeof answer;
      } catch (error) {
        // Errors of the job are answers: what is thrown is the end of the process.
        if (attempt < RETRIES) continue;
        throw new TrainingError(
          'worker-died',
          `the process that played ${describeJob(job)} ended, and so did the one after it`,
          { cause: error },
        );
      }
      if ('result' in answer) return answer.result;
      throw unpackFailure(answer.failure);
    }
  }
}
