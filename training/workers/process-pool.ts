import { AgentError } from '../../agents/agent-error.js';
import { DataError } from '../../data/data-error.js';
import { residentBytesOf } from '../../data/files/process-identity.js';
import { NotationError } from '../../env/errors.js';
import { ProcessClient, ProcessEnd } from '../../env/processes/process-client.js';
import type { MatchGame, MatchListener } from '../matches/match-game.js';
import type { MatchJob } from '../matches/match-job.js';
import { loadedGameModules, mainModule } from '../games/game-module.js';
import type { Balance } from '../openings/balance.js';
import type { OpeningJob } from '../openings/opening-job.js';
import type { ShardJob } from '../self-play/shard-job.js';
import type { ShardReport } from '../self-play/shard-play.js';
import { TrainingError } from '../training-error.js';
import { GameCount } from './game-count.js';
import { describeJob } from './job-description.js';
import { PLAYER_NODE_OPTIONS } from './player-options.js';
import type { SilenceLimits } from './silence-meter.js';
import { askWatched } from './watched-request.js';
import type { JobNote, JobRequest, JobResult, WorkerMethods } from './worker-jobs.js';
import type { RunJobsOptions, WorkerPool } from './worker-pool.js';

/** Number of processes that end over the same job before the job fails. */
const MOST_DEATHS = 3;

/**
 * Limits on the silence of a process over a job (silence-meter.ts): a minute if it is idle, an hour if it is busy. A
 * process responds between any two moves of an agent and any two batches of a network, so only a single move of more
 * than an hour is mistaken for an endless loop.
 */
const SILENCE_LIMITS: SilenceLimits = { idleLimitMs: 60_000, busyLimitMs: 3_600_000 };

/** Settings of a pool: limits on its processes, and its messages. */
export interface ProcessPoolOptions extends Partial<SilenceLimits> {
  /** Cores to bind the processes to, each to its own, at least as many as processes; by default they are not bound. */
  readonly cores?: readonly number[] | undefined;
  /** Called with messages for people: each unexpected end of a process, and everything that processes print. */
  readonly onMessage?: (text: string) => void;
}

/** Options of a call that runs jobs with the method `M`. */
interface JobOptions<M extends keyof WorkerMethods> {
  /** Called with the index of a job that begins. */
  readonly onBegin?: (index: number) => void;
  /** Called with the index of a job and a note on it. */
  readonly onNote?: (index: number, note: WorkerMethods[M]['note']) => void;
  /** Called with the index of a job and its result. */
  readonly onResult?: (index: number, result: WorkerMethods[M]['result']) => void;
  readonly signal?: AbortSignal | undefined;
  /** Whether `signal` also ends the jobs in progress, together with their processes. */
  readonly endsJobs?: boolean;
}

/** Options of one job. */
export interface RunJobOptions<M extends keyof WorkerMethods> {
  /** Called with each note on the job, in the order in which its process sent them. */
  readonly onNote?: ((note: WorkerMethods[M]['note']) => void) | undefined;
  /** Ends the job together with its process; the call then fails with a `ProcessEnd`. */
  readonly endSignal?: AbortSignal | undefined;
}

function diedTooOften(what: string, end: ProcessEnd): TrainingError {
  const last = end.lastLines.map((line) => `\n  ${line}`).join('');
  return new TrainingError(
    'worker-died',
    `${what}, as did the previous ones, ${MOST_DEATHS} in total${last === '' ? '' : `; its last output was:${last}`}`,
    { cause: end },
  );
}

type Worker = ProcessClient<JobRequest, JobResult, JobNote>;

/**
 * Single-threaded processes on this machine that play games. They start with the first jobs, run until `dispose`,
 * ignore SIGINT, SIGTERM and SIGHUP, and end when this process does, however it ends.
 *
 * A process that dies, or is killed because it hangs, is replaced, and its job is repeated from the beginning.
 */
export class ProcessPool implements WorkerPool {
  readonly processes: number;
  private readonly options: ProcessPoolOptions;
  private readonly idle: Worker[] = [];
  private readonly all = new Set<Worker>();

  /** @param processes greatest number of processes that play jobs at once. */
  constructor(processes: number, options: ProcessPoolOptions = {}) {
    this.processes = processes;
    this.options = options;
  }

  /** Ids of the running processes. */
  get pids(): readonly number[] {
    return Array.from(this.all).flatMap((worker) => (worker.isAlive ? [worker.pid!] : []));
  }

  residentBytes(): number | null {
    const bytes = this.pids.map(residentBytesOf);
    return bytes.includes(null) ? null : bytes.reduce<number>((sum, each) => sum + (each ?? 0), 0);
  }

  playShards(jobs: readonly ShardJob[], options: RunJobsOptions = {}): Promise<readonly ShardReport[]> {
    const count = new GameCount(jobs, options);
    return this.runAll('playShard', jobs, {
      onBegin: (index) => {
        count.begin(index);
      },
      onNote: (index, games) => {
        count.set(index, games);
      },
      onResult: (index, { effort }) => {
        if (effort === null) count.leaveOut(index);
      },
      signal: options.signal,
    });
  }

  async playMatch(jobs: readonly MatchJob[], listener: MatchListener, signal?: AbortSignal): Promise<void> {
    const onNote = (_index: number, game: MatchGame): void => {
      listener.onGame(game);
    };
    await this.runAll('playMatch', jobs, { onNote, signal, endsJobs: true });
  }

  judgeOpenings(
    jobs: readonly OpeningJob[],
    options: Pick<RunJobsOptions, 'signal'> = {},
  ): Promise<readonly (readonly Balance[])[]> {
    return this.runAll('judgeOpenings', jobs, options);
  }

  async dispose(): Promise<void> {
    await Promise.all(Array.from(this.all, (worker) => worker.end()));
  }

  /**
   * Runs one job immediately, in a new process if none is idle. The jobs of the other methods never take more than
   * `processes` at once; the results that a coordinator judges meanwhile come on top.
   *
   * @throws TrainingError `worker-died` if three processes ended over it; ProcessEnd after `endSignal`; the job's
   *   error.
   */
  async run<M extends keyof WorkerMethods>(
    method: M,
    job: WorkerMethods[M]['job'],
    { onNote, endSignal }: RunJobOptions<M> = {},
  ): Promise<WorkerMethods[M]['result']> {
    const limits = { ...SILENCE_LIMITS, ...this.options };
    const request = { method, job, gameModules: loadedGameModules() } as JobRequest;
    for (let deaths = 1; ; deaths++) {
      const worker = await this.take();
      const end = (): void => {
        worker.kill('was ended with its job');
      };
      try {
        if (endSignal?.aborted === true) throw new ProcessEnd('had not begun', []);
        endSignal?.addEventListener('abort', end);
        const result = await askWatched(worker, request, limits, (note) => onNote?.(note));
        this.idle.push(worker);
        return result;
      } catch (error) {
        const isEnded = endSignal?.aborted === true;
        if (!(error instanceof ProcessEnd) || (isEnded && worker.isAlive)) {
          this.idle.push(worker);
          throw error;
        }
        this.all.delete(worker);
        if (isEnded) throw error;
        const what = `the process that ${describeJob(request)} ${error.message}`;
        if (deaths === MOST_DEATHS) throw diedTooOften(what, error);
        this.options.onMessage?.(`${what}; another process restarts them`);
      } finally {
        endSignal?.removeEventListener('abort', end);
      }
    }
  }

  private async runAll<M extends keyof WorkerMethods>(
    method: M,
    jobs: readonly WorkerMethods[M]['job'][],
    options: JobOptions<M>,
  ): Promise<readonly WorkerMethods[M]['result'][]> {
    const { onBegin, onNote, onResult, signal, endsJobs = false } = options;
    const results: (WorkerMethods[M]['result'] | undefined)[] = jobs.map(() => undefined);
    let next = 0;
    let hasFailed = false;
    const isStopped = (): boolean => signal?.aborted === true;
    const lane = async (): Promise<void> => {
      while (next < jobs.length && !hasFailed && !isStopped()) {
        const index = next++;
        try {
          onBegin?.(index);
          const result = await this.run(method, jobs[index]!, {
            onNote: (note) => onNote?.(index, note),
            endSignal: endsJobs ? signal : undefined,
          });
          results[index] = result;
          onResult?.(index, result);
        } catch (error) {
          if (endsJobs && isStopped()) return;
          hasFailed = true;
          throw error;
        }
      }
    };
    const lanes = await Promise.allSettled(Array.from({ length: this.processes }, lane));
    for (const outcome of lanes) if (outcome.status === 'rejected') throw outcome.reason;
    return results.filter((result) => result !== undefined);
  }

  /** An idle process, or a new one. */
  private async take(): Promise<Worker> {
    const { onMessage } = this.options;
    const module = mainModule(import.meta.url, 'worker');
    for (let worker = this.idle.pop(); worker !== undefined; worker = this.idle.pop()) {
      if (worker.isAlive && worker.module === module) return worker;
      await worker.end();
      this.all.delete(worker);
    }
    const worker: Worker = new ProcessClient({
      module,
      errors: [AgentError, DataError, NotationError, TrainingError],
      nodeOptions: PLAYER_NODE_OPTIONS,
      core: this.freeCore(),
      onLine: (line) => onMessage?.(line),
    });
    this.all.add(worker);
    return worker;
  }

  /** A core that no process of this pool has; undefined if they are not bound. */
  private freeCore(): number | undefined {
    const taken = new Set(Array.from(this.all, ({ core }) => core));
    return this.options.cores?.find((core) => !taken.has(core));
  }
}
