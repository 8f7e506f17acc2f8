import { residentBytesOf } from '../../data/files/process-identity.js';
import { TrainingError } from '../training-error.js';
import { type MatchResult, summariseMatch } from '../matches/match.js';
import { divideMatch, type MatchJob } from '../matches/match-job.js';
import type { ShardJob } from '../self-play/shard-job.js';
import type { ShardReport } from '../self-play/shard-play.js';
import type { SilenceLimits } from './silence-meter.js';
import { unpackFailure } from './worker-failure.js';
import type { JobOrder, WorkerMethods } from './worker-message.js';
import { WorkerEnd, WorkerProcess } from './worker-process.js';

/** A job whose process ended is given to another, until as many have ended over it. */
const MOST_DEATHS = 3;

/**
 * How long a process may be silent over a job (silence-meter.ts): a minute where it does nothing, an hour where it is at work. A
 * process shows that it lives between any two moves of an agent, and between any two batches of a network: only a single move
 * that takes more than an hour is mistaken for a loop without an end.
 */
const SILENCE_LIMITS: SilenceLimits = { idleLimitMs: 60_000, busyLimitMs: 3_600_000 };

/**
 * How old a process may be that is given a job. Memory that its allocator does not give back, tens of MB in an hour, goes with it;
 * a new one is at work in half a second.
 */
const LIFE_MS = 600_000;

/** How a pool watches its processes, and who hears of them. */
export interface WorkerPoolOptions extends Partial<SilenceLimits> {
  /** A process that is older is replaced before its next job; ten minutes by default. */
  readonly lifeMs?: number;
  /** Called with lines for people: each end of a process, and what processes print to stderr. */
  readonly onMessage?: (text: string) => void;
}

/** How jobs are run. */
export interface RunJobsOptions {
  /** Called as games end, with how many have, of the jobs of this call that were not done before. */
  readonly onGame?: (finished: number) => void;
  /** No job is begun after it is aborted; those under way are finished. */
  readonly signal?: AbortSignal;
}

function describeJob(job: ShardJob | MatchJob): string {
  if ('path' in job) return `games ${job.firstGame} to ${job.firstGame + job.games - 1} for ${job.path}`;
  return `${job.games} games of ${job.agent} against ${job.opponent}`;
}

function diedTooOften(what: string, end: WorkerEnd): TrainingError {
  const last = end.lastLines.map((line) => `\n  ${line}`).join('');
  return new TrainingError(
    'worker-died',
    `${what}, as did those before it, ${MOST_DEATHS} in all${last === '' ? '' : `; it printed last:${last}`}`,
    { cause: end },
  );
}

/**
 * Single-threaded processes that play games: self-play for shards, and matches. They start with the first jobs, stay until
 * `dispose` or until they are old, hear no SIGINT, SIGTERM or SIGHUP, and end when this process does, however it does.
 *
 * A process that dies, or is killed because it hangs, is replaced, and its job done again from its beginning: since a job is a pure
 * function, no game is lost or there twice. One call at a time.
 */
export class WorkerPool {
  private readonly processes: number;
  private readonly options: WorkerPoolOptions;
  private readonly idle: WorkerProcess[] = [];
  private readonly all = new Set<WorkerProcess>();

  constructor(processes: number, options: WorkerPoolOptions = {}) {
    this.processes = processes;
    this.options = options;
  }

  /** The numbers that the system gives the processes that run. */
  get pids(): readonly number[] {
    return Array.from(this.all).flatMap((worker) => (worker.isAlive ? [worker.pid!] : []));
  }

  /** Memory that the processes have resident, together; null where the system does not tell. */
  residentBytes(): number | null {
    const bytes = this.pids.map(residentBytesOf);
    return bytes.includes(null) ? null : bytes.reduce<number>((sum, each) => sum + (each ?? 0), 0);
  }

  /**
   * Makes the shards of the jobs; those that are there already are left as they are.
   *
   * Throws `TrainingError` `worker-died` when three processes ended over the same job, and what `playShard`
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
    await Promise.all(Array.from(this.all, (worker) => worker.dispose()));
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
    for (let deaths = 1; ; deaths++) {
      const worker = await this.take();
      try {
        const answer = await worker.ask({ method, job } as JobOrder, onGame);
        this.idle.push(worker);
        if ('failure' in answer) throw unpackFailure(answer.failure);
        return answer.result as WorkerMethods[M]['result'];
      } catch (error) {
        if (!(error instanceof WorkerEnd)) throw error;
        this.all.delete(worker);
        const what = `the process that played ${describeJob(job)} ${error.message}`;
        if (deaths === MOST_DEATHS) throw diedTooOften(what, error);
        this.options.onMessage?.(`${what}; another begins them again`);
      }
    }
  }

  /** A process without a job, a new one if need be. */
  private async take(): Promise<WorkerProcess> {
    const { onMessage, lifeMs = LIFE_MS, ...limits } = this.options;
    for (let worker = this.idle.pop(); worker !== undefined; worker = this.idle.pop()) {
      if (worker.isAlive && worker.ageMs < lifeMs) return worker;
      await worker.dispose();
      this.all.delete(worker);
    }
    const onLine = (line: string): void => onMessage?.(line);
    const worker = new WorkerProcess({ ...SILENCE_LIMITS, ...limits, onLine });
    this.all.add(worker);
    return worker;
  }
}
