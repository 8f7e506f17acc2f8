import { loadWasmRuntime } from '../../../inference/wasm-session.js';
import type { MatchListener } from '../../../matches/match-game.js';
import type { MatchJob } from '../../../matches/match-job.js';
import type { Balance } from '../../../openings/balance.js';
import type { OpeningJob } from '../../../openings/opening-job.js';
import type { ShardJob } from '../../../self-play/shard-job.js';
import { findPlayed, type ShardReport } from '../../../self-play/shard-play.js';
import { TrainingError } from '../../../training-error.js';
import { GameCount } from '../../game-count.js';
import { ProcessPool } from '../../process-pool.js';
import type { PoolSummary } from '../../../statistics/pool-summary.js';
import type { WorkerMethods } from '../../worker-jobs.js';
import type { RunJobsOptions, WorkerPool } from '../../worker-pool.js';
import { putContent, refOf } from '../wire/content-stream.js';
import { type BatchOptions, BatchRun } from './batch-run.js';
import { prepareBatch } from './job-offer.js';
import type { JobBatch, JobKind, RemoteMethod } from './job-batch.js';
import { matchKind, shardKind } from './job-kinds.js';
import { OfferedFiles } from './outgoing-job.js';
import { untilAnswered } from '../wire/patience.js';
import type { PoolConnection } from '../wire/pool-connection.js';
import { ensureStreams } from './pool-streams.js';
import { connectToPool } from '../wire/server-connection.js';
import { playOut } from './batch-play.js';
import { PoolDesk } from './pool-desk.js';
import type { ContentRef } from '../wire/pool-messages.js';
import type { PoolStatus } from '../wire/pool-status.js';
import {
  FILES_STREAM,
  fileSubject,
  RESULTS_STREAM,
  STATUS_SUBJECT,
  WAKE_SUBJECT,
} from '../wire/pool-subjects.js';
import type { PoolTicket } from '../wire/pool-ticket.js';
import { ResultIntake } from './intake/result-intake.js';
import { RateMeter } from './rate-meter.js';
import { answerStatus, statusReport } from './status-report.js';
import { WorkerBook } from './worker-book.js';
import { ownIdentity } from '../wire/worker-identity.js';
import { WorkerRegister } from './worker-register.js';
import { suspendHoarders } from './worker-store.js';

/** Milliseconds between two checks of the workers. */
const TICK_MS = 5000;

/** Ticks between two checks of the server's store. */
const STORE_TICKS = 12;

/** Milliseconds in which another coordinator must answer. */
const RIVAL_MS = 500;

/** Settings of a pool of many machines. */
export interface NatsPoolOptions {
  /** Processes of this machine that also play. */
  readonly processes: number;
  /** Whether this machine only judges games, and plays only jobs that no worker can play. */
  readonly isOutsourced?: boolean;
  /** Whether workers with other kernel fingerprints play. */
  readonly anyProcessor?: boolean;
  /** Share of the workers' games that this machine replays, in [0, 1]; 0: none, not even those of new workers. */
  readonly replayShare?: number | undefined;
  /** File that records workers and their shards; null: none. */
  readonly book?: string | null;
  readonly onMessage?: (text: string) => void;
  readonly tickMs?: number;
}

/** Default share of games that are replayed. */
const DEFAULT_REPLAY_SHARE = 0.02;

/**
 * Plays jobs in processes of this machine and at workers that reach it over a NATS server
 * (docs/explanation/architecture.md, "Many machines"). The bytes of a job do not depend on who plays it.
 */
export class NatsPool implements WorkerPool {
  private readonly connection: PoolConnection;
  private readonly options: NatsPoolOptions;
  private readonly local: ProcessPool;
  private readonly book: WorkerBook;
  private readonly register = new WorkerRegister();
  private readonly desk: PoolDesk;
  private readonly clock: NodeJS.Timeout;
  private readonly files: OfferedFiles;
  private readonly meter: RateMeter;
  /** The batch in progress. */
  private run: Pick<BatchRun<'playShard', unknown>, 'batch' | 'fail'> | null = null;
  /** Errors of the book at a tick: they end the batch in progress, or else the next one. */
  private readonly failures: unknown[] = [];
  private ticks = 0;
  /** Signal of the batch; ends waits for the server. */
  private stop: AbortSignal | undefined;

  private constructor(connection: PoolConnection, book: WorkerBook, options: NatsPoolOptions) {
    const { processes, anyProcessor = false, onMessage = (): void => undefined, tickMs = TICK_MS } = options;
    this.connection = connection;
    this.options = options;
    this.book = book;
    this.meter = new RateMeter(tickMs);
    this.local = new ProcessPool(processes, { onMessage });
    this.desk = new PoolDesk({
      own: ownIdentity(processes),
      register: this.register,
      book,
      anyProcessor,
      batch: () => this.batch,
      onMessage,
    });
    this.files = new OfferedFiles((content) => this.offer(content));
    this.clock = setInterval(() => {
      this.tick();
    }, tickMs);
    this.clock.unref();
  }

  /**
   * Connects, and makes the streams that are missing.
   *
   * @throws TrainingError `pool-unreachable`, `pool-refused`, `pool-busy`; DataError for the book; PackageError if
   *   games of other processors must be judged and ONNX Runtime's WebAssembly is not installed.
   */
  static async open(ticket: PoolTicket, options: NatsPoolOptions): Promise<NatsPool> {
    if (options.anyProcessor === true) await loadWasmRuntime();
    const book = await WorkerBook.open(options.book ?? null);
    const connection = await connectToPool(ticket, options.onMessage);
    const { nc } = connection;
    try {
      await ensureStreams(connection);
      const rival = await nc.request(STATUS_SUBJECT, undefined, { timeout: RIVAL_MS }).catch(() => null);
      if (rival !== null) throw new TrainingError('pool-busy', `another run uses the pool at ${ticket.url}`);
    } catch (error) {
      await nc.close();
      throw error;
    }
    const pool = new NatsPool(connection, book, options);
    pool.desk.open(nc);
    answerStatus(nc, () => pool.status());
    await nc.flush();
    return pool;
  }

  /** Processes of this machine and of the connected workers. */
  get processes(): number {
    return this.local.processes + this.summary().processes;
  }

  residentBytes(): number | null {
    return this.local.residentBytes();
  }

  summary(): PoolSummary {
    return this.register.summary();
  }

  async playShards(jobs: readonly ShardJob[], options: RunJobsOptions = {}): Promise<readonly ShardReport[]> {
    const found = await Promise.all(jobs.map((job) => findPlayed(job)));
    const missing = jobs.flatMap((job, index) => (found[index] === null ? [{ job, index }] : []));
    const missingJobs = missing.map(({ job }) => job);
    const count = new GameCount(missingJobs, options);
    const raise = (index: number, games: number): void => {
      count.raise(index, games);
    };
    const reports = await this.runBatch(shardKind(this.services()), missingJobs, {
      signal: options.signal,
      onNote: raise,
      onRemoteGames: raise,
      onDone: (index) => {
        count.set(index, missingJobs[index]!.games);
      },
      onReopened: (index) => {
        count.set(index, 0);
      },
      endsJobs: false,
    });
    const all = [...found];
    for (const [at, { index }] of missing.entries()) all[index] = reports[at] ?? null;
    return all.filter((report) => report !== null);
  }

  async playMatch(jobs: readonly MatchJob[], listener: MatchListener, signal?: AbortSignal): Promise<void> {
    await this.runBatch(matchKind(this.services(), listener), jobs, { signal, endsJobs: true });
  }

  judgeOpenings(
    jobs: readonly OpeningJob[],
    options: Pick<RunJobsOptions, 'signal'> = {},
  ): Promise<readonly (readonly Balance[])[]> {
    return this.local.judgeOpenings(jobs, options);
  }

  async dispose(): Promise<void> {
    clearInterval(this.clock);
    await this.local.dispose();
    await this.connection.nc.close();
  }

  /** The status that `gess pool status` prints. */
  async status(): Promise<PoolStatus> {
    const { local, register, meter, batch } = this;
    const results = (await this.connection.jsm.streams.info(RESULTS_STREAM)).state.messages;
    return statusReport({ processes: local.processes, register, meter, batch, results });
  }

  private get batch(): JobBatch | null {
    return this.run?.batch ?? null;
  }

  private services(): Parameters<typeof shardKind>[0] {
    const { replayShare = DEFAULT_REPLAY_SHARE } = this.options;
    return { local: this.local, files: this.files, book: this.book, replayShare };
  }

  /** Removes the files of earlier batches, which would fill the server in the course of a run. */
  private async removeFiles(): Promise<void> {
    await this.ask(() => this.connection.jsm.streams.purge(FILES_STREAM));
    this.files.forget();
  }

  private async offer(content: Uint8Array): Promise<ContentRef> {
    const ref = await refOf(content);
    const subjectOf = (part: number): string => fileSubject(ref.sha256, part);
    await this.ask(() => putContent(this.connection.js, content, subjectOf));
    return ref;
  }

  /** Sends a request to the server, and repeats it until the server answers. */
  private ask<Answer>(act: () => Promise<Answer>): Promise<Answer> {
    const onAway = (reason: string): void => {
      this.options.onMessage?.(`waiting for the server of the pool: ${reason}`);
    };
    return untilAnswered(act, { nc: this.connection.nc, onAway, signal: this.stop });
  }

  private tick(): void {
    this.meter.tick();
    this.desk.tick();
    this.ticks += 1;
    if (this.ticks % STORE_TICKS === 0) this.watchStore();
    for (const worker of this.register.tick()) {
      this.batch?.ledger.releaseAll(worker.key);
      this.options.onMessage?.(`lost the worker ${worker.key}; its jobs go to others`);
    }
    this.batch?.ledger.notify();
  }

  private watchStore(): void {
    const { connection, register, book, batch } = this;
    const onMessage = this.options.onMessage ?? ((): void => undefined);
    suspendHoarders(connection, { register, book, batch, onMessage }).catch((error: unknown) => {
      this.failures.push(error);
      this.run?.fail(error);
    });
  }

  /** Plays jobs on this machine and at workers; returns the results of the finished ones by index. */
  private async runBatch<M extends RemoteMethod, Result>(
    kind: JobKind<M, Result>,
    jobs: readonly WorkerMethods[M]['job'][],
    options: BatchOptions<M>,
  ): Promise<readonly (Result | undefined)[]> {
    const nothing = jobs.map(() => undefined);
    const isStopped = (): boolean => options.signal?.aborted === true;
    if (jobs.length === 0 || isStopped()) return nothing;
    this.stop = options.signal;
    let batch: JobBatch;
    try {
      await this.removeFiles();
      batch = await prepareBatch(kind, jobs, {
        ...{ files: this.files, local: this.local, register: this.register, meter: this.meter },
        anyProcessor: this.options.anyProcessor === true,
        onRemoteGames: options.onRemoteGames,
      });
    } catch (error) {
      if (isStopped()) return nothing;
      throw error;
    }
    const isOutsourced = this.options.isOutsourced === true;
    const run = new BatchRun(batch, kind, jobs, { ...options, isOutsourced });
    const intake = new ResultIntake(run, {
      connection: this.connection,
      register: this.register,
      desk: this.desk,
      book: this.book,
      processes: this.local.processes,
      onMessage: this.options.onMessage ?? ((): void => undefined),
    });
    if (this.failures.length > 0) throw this.failures[0];
    this.run = run;
    try {
      const opened = await this.ask(() => intake.open());
      this.connection.nc.publish(WAKE_SUBJECT);
      await playOut(run, opened, this.local.processes);
      return run.results;
    } finally {
      this.run = null;
    }
  }
}
