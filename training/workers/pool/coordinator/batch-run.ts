import type { WorkerMethods } from '../../worker-jobs.js';
import type { JobBatch, JobKind, RemoteMethod } from './job-batch.js';
import { LOCAL_PLAYER, MOST_FAILED_PLAYERS } from './job-ledger.js';

/** Options of a batch. */
export interface BatchOptions<M extends RemoteMethod> {
  /** Once aborted, no further job begins. */
  readonly signal?: AbortSignal | undefined;
  readonly onNote?: (index: number, note: WorkerMethods[M]['note']) => void;
  /** Called with the number of finished games of a worker's job. */
  readonly onRemoteGames?: (index: number, games: number) => void;
  /** Called when a job is done, whoever played it; reports of its games may arrive later, or never. */
  readonly onDone?: (index: number) => void;
  /** Called when a finished job is reopened. */
  readonly onReopened?: (index: number) => void;
  /** Whether `signal` also ends the jobs in progress on this machine. */
  readonly endsJobs: boolean;
  /** Whether this machine plays only jobs that no worker can play. */
  readonly isOutsourced?: boolean;
}

/** Plays jobs of one kind, by processes of this machine and by workers. */
export class BatchRun<M extends RemoteMethod, Result> {
  readonly batch: JobBatch;
  readonly kind: JobKind<M, Result>;
  readonly jobs: readonly WorkerMethods[M]['job'][];
  /** Results by index; undefined for jobs that are not done. */
  readonly results: (Result | undefined)[];
  private readonly options: BatchOptions<M>;
  /** Controllers of this machine's jobs, by index: aborted when a worker finishes the job first. */
  private readonly ends = new Map<number, AbortController>();
  /** Workers' results that are being kept, by index. */
  private readonly keeping = new Map<number, Promise<Result>>();
  private failure: Error | null = null;

  constructor(
    batch: JobBatch,
    kind: JobKind<M, Result>,
    jobs: readonly WorkerMethods[M]['job'][],
    options: BatchOptions<M>,
  ) {
    this.batch = batch;
    this.kind = kind;
    this.jobs = jobs;
    this.results = jobs.map(() => undefined);
    this.options = options;
  }

  /** Whether all jobs are done, or no further job begins. */
  get isOver(): boolean {
    return this.batch.ledger.isDone || this.isStopped;
  }

  /** Whether no further job begins. */
  get isStopped(): boolean {
    return this.failure !== null || this.options.signal?.aborted === true;
  }

  /** Ends the batch with an error, after the jobs in progress on this machine. */
  fail(error: unknown): void {
    this.failure ??= error instanceof Error ? error : new Error(String(error));
    this.batch.ledger.notify();
  }

  /**
   * Keeps a worker's result unless the job is already done. The job counts as done before the result is kept, so that
   * nobody else keeps one.
   *
   * @returns whether it was kept.
   * @throws errors of `keep`.
   */
  async accept(index: number, worker: string, keep: () => Promise<Result>): Promise<boolean> {
    if (!this.batch.ledger.finish(index)) return false;
    this.batch.makers.set(index, worker);
    this.ends.get(index)?.abort();
    const kept = keep();
    this.keeping.set(index, kept);
    try {
      this.record(index, await kept);
    } finally {
      this.keeping.delete(index);
    }
    return true;
  }

  /** Discards a result that was a lie, and reopens its job. */
  async reopen(index: number): Promise<void> {
    await this.keeping.get(index);
    await this.kind.remove(this.jobs[index]!);
    this.results[index] = undefined;
    this.batch.makers.delete(index);
    this.options.onReopened?.(index);
    this.batch.ledger.reopen(index);
  }

  /**
   * Plays until all jobs are done, or the signal or an error has stopped it.
   *
   * @param processes number of processes of this machine that play.
   * @throws the error of a job on this machine, or that of `fail`.
   */
  async play(processes: number): Promise<void> {
    const { signal } = this.options;
    const wake = (): void => {
      this.batch.ledger.notify();
    };
    signal?.addEventListener('abort', wake);
    try {
      await Promise.all(Array.from({ length: processes }, () => this.playLane()));
    } finally {
      signal?.removeEventListener('abort', wake);
    }
    this.expectSound();
  }

  /** @throws the error of a job on this machine, or that of `fail`, which may come after `play` has returned. */
  expectSound(): void {
    if (this.failure !== null) throw this.failure;
  }

  private record(index: number, result: Result): void {
    this.results[index] = result;
    this.batch.onWork(this.kind.workOf(result));
    this.options.onDone?.(index);
  }

  private async playLane(): Promise<void> {
    const { ledger } = this.batch;
    while (!this.isOver) {
      const index = ledger.take(LOCAL_PLAYER, (each) => this.isForHere(each));
      if (index === null) await ledger.changed();
      else await this.playHere(index);
    }
  }

  /** Whether this machine plays a job: every job, or only those that no worker can play. */
  private isForHere(index: number): boolean {
    const { ledger, remote } = this.batch;
    const isOnlyHere = remote[index] === null || ledger.failedPlayers(index) >= MOST_FAILED_PLAYERS;
    return this.options.isOutsourced !== true || isOnlyHere;
  }

  private async playHere(index: number): Promise<void> {
    const { ledger } = this.batch;
    const { signal, onNote, endsJobs } = this.options;
    const end = new AbortController();
    this.ends.set(index, end);
    const signals = endsJobs && signal !== undefined ? [end.signal, signal] : [end.signal];
    try {
      const result = await this.kind.play(this.jobs[index]!, {
        onNote: (note) => onNote?.(index, note),
        endSignal: AbortSignal.any(signals),
      });
      if (ledger.finish(index)) this.record(index, result);
    } catch (error) {
      // A job that a worker has finished may be open again by now.
      const isEnded = end.signal.aborted || ledger.isDoneJob(index) || (endsJobs && signal?.aborted === true);
      ledger.release(index, LOCAL_PLAYER);
      if (!isEnded) this.fail(error);
    } finally {
      if (this.ends.get(index) === end) this.ends.delete(index);
    }
  }
}
