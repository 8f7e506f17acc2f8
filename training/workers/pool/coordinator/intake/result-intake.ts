import { setTimeout as delay } from 'node:timers/promises';
import { errorText } from '../../../../../env/text/error-text.js';
import { TrainingError } from '../../../../training-error.js';
import { getContent } from '../../wire/content-stream.js';
import type { BatchRun } from '../batch-run.js';
import type { RemoteMethod } from '../job-batch.js';
import type { JsMsg } from '../../wire/nats-library.js';
import type { PoolConnection } from '../../wire/pool-connection.js';
import type { PoolDesk } from '../pool-desk.js';
import { JobResultMessage, parseMessage } from '../../wire/pool-messages.js';
import { ANY, jobOrVerbOf, RESULTS_STREAM, shardSubject, SHARDS_STREAM } from '../../wire/pool-subjects.js';
import { Lie } from './lie.js';
import { ResultQueue } from './result-queue.js';
import { purgeWorker } from '../worker-store.js';
import { signerOf } from '../message-signer.js';
import { suspendForGood } from '../suspension.js';
import type { WorkerBook } from '../worker-book.js';
import type { RegisteredWorker, WorkerRegister } from '../worker-register.js';

/** Minimum number of results that are judged at once, each in a process of this machine. */
const JUDGED_AT_ONCE = 2;

/** Maximum number of results that are discarded at once: each waits for the server. */
const DISCARDED_AT_ONCE = 64;

/** Milliseconds until content is requested again for which the server did not answer. */
const RETRY_MS = 2000;
const MOST_TRIES = 5;

/** The parts that the intake needs. */
export interface IntakeOptions {
  readonly connection: PoolConnection;
  readonly register: WorkerRegister;
  readonly desk: PoolDesk;
  readonly book: WorkerBook;
  /** Processes of this machine: as many results are judged at once, at least two. */
  readonly processes: number;
  readonly onMessage: (text: string) => void;
}

/** A result that a worker has signed, for a job of the batch. */
interface Arrived {
  readonly worker: RegisteredWorker;
  readonly index: number;
  readonly message: JobResultMessage;
}

/** A message of the stream. */
interface Received {
  readonly stored: JsMsg;
  /** The key that signed it; null for an unsigned one, and for one that was not read. */
  readonly signer: string | null;
  /** Null if it cannot be read. */
  readonly message: JobResultMessage | null;
}

/** A result that waits to be judged, and its message. */
interface Waiting {
  readonly received: Received;
  readonly arrived: Arrived;
}

/** Whether the server has no such content, rather than no answer. */
function isMissing(error: unknown): boolean {
  // The library does not export the class of this error: a worker may write any status into the headers of a part.
  const isStatus = error instanceof Error && error.name === 'JetStreamStatusError';
  return isStatus || (error instanceof TrainingError && error.code === 'pool-content');
}

/** An intake that takes in the results of a batch. */
export interface OpenIntake {
  readonly queue: Pick<ResultQueue<never>, 'pause' | 'resume'>;
  /** Ends the intake after the results that are being judged. */
  readonly close: () => Promise<void>;
}

/**
 * Reads the workers' results from their stream: judges each, keeps the sound ones, and suspends the workers that lie.
 */
export class ResultIntake<M extends RemoteMethod, Result> {
  private readonly run: BatchRun<M, Result>;
  private readonly options: IntakeOptions;

  constructor(run: BatchRun<M, Result>, options: IntakeOptions) {
    this.run = run;
    this.options = options;
  }

  /**
   * Takes in results, including those that arrived before the call.
   *
   * @returns the open intake.
   */
  async open(): Promise<OpenIntake> {
    const { js } = this.options.connection;
    const consumer = await js.consumers.get(RESULTS_STREAM);
    const messages = await consumer.consume({ max_messages: 100 });
    const judgedAtOnce = Math.max(JUDGED_AT_ONCE, this.options.processes);
    const queue = new ResultQueue<Waiting>(judgedAtOnce, (next) =>
      this.receive(next).catch((error: unknown) => {
        this.run.fail(error);
      }),
    );
    // Apart from the queue: a flood of worthless results must not delay the others.
    const discards = new ResultQueue<Received>(DISCARDED_AT_ONCE, (next) => this.discard(next));
    const reading = (async (): Promise<void> => {
      for await (const stored of messages) {
        const received = this.read(stored);
        const arrived = this.identify(received);
        if (arrived === null) {
          await discards.add(received);
          continue;
        }
        this.run.batch.ledger.deliver(arrived.index, arrived.worker.key);
        await queue.add({ received, arrived });
      }
    })().catch((error: unknown) => {
      this.run.fail(error);
    });
    return {
      queue,
      close: async () => {
        const judged = queue.pause();
        // Results that still wait stay at the server: the jobs are done, or the run is stopped.
        queue.clear();
        discards.clear();
        await messages.close();
        await reading;
        await judged;
        await discards.pause();
      },
    };
  }

  private async receive({ received, arrived }: Waiting): Promise<void> {
    // If the worker was suspended while this result waited, its content is gone: do not wait for it.
    if (arrived.worker.suspension === null && !this.run.batch.ledger.isDoneJob(arrived.index))
      await this.judge(arrived);
    await this.discard(received);
  }

  /** Reads a message; those for unknown jobs count against the worker's quota, and stay unread beyond it. */
  private read(stored: JsMsg): Received {
    const { subject, data } = stored;
    const isKnown = this.run.batch.indexOf.has(jobOrVerbOf(subject));
    if (!isKnown && !this.options.desk.allows(stored)) return { stored, signer: null, message: null };
    return { stored, signer: signerOf(stored), message: parseMessage(JobResultMessage, data) };
  }

  /** Removes a message and its content from the server. Best effort: anything left is harmless, and expires. */
  private async discard({ stored, signer, message }: Received): Promise<void> {
    const { streams } = this.options.connection.jsm;
    await streams.deleteMessage(RESULTS_STREAM, stored.seq, false).catch(() => undefined);
    // Also the content of late results of earlier batches, which would count against the worker's share of the server.
    if (signer === null || message === null) return;
    const filter = shardSubject(signer, message.outcome.content.sha256, ANY);
    await streams.purge(SHARDS_STREAM, { filter }).catch(() => undefined);
  }

  /**
   * The worker and the job of a result; null for an unsigned result, for a job that is unknown or done, and for a
   * worker that gets no jobs.
   */
  private identify({ stored, signer, message }: Received): Arrived | null {
    const { desk, register } = this.options;
    const index = this.run.batch.indexOf.get(jobOrVerbOf(stored.subject));
    // Only this machine plays the jobs that were not sent.
    if (signer === null || index === undefined || this.run.batch.remote[index] === null) return null;
    if (message === null) {
      const worker = register.find(signer);
      if (worker !== null) desk.countFailure(worker, 'a result that cannot be read');
      return null;
    }
    const worker = desk.admit(signer, message.identity, message.fingerprints);
    if ('kind' in worker || !desk.mayPlay(worker, this.run.batch) || this.run.batch.ledger.isDoneJob(index))
      return null;
    return { worker, index, message };
  }

  private async judge({ worker, index, message }: Arrived): Promise<void> {
    const { desk, onMessage } = this.options;
    const { outcome } = message;
    const job = this.run.jobs[index]!;
    try {
      const { kind } = this.run;
      const limit = kind.maxContentBytes(job);
      if (outcome.kind !== kind.outcome) throw new Lie(`a ${outcome.kind} in place of a ${kind.outcome}`);
      if (outcome.content.bytes > limit)
        throw new Lie(`${outcome.content.bytes} bytes where at most ${limit} are possible`);
      const content = await this.fetch(worker, outcome.content);
      if (content === null) {
        this.run.batch.ledger.fail(index, worker.key);
        return;
      }
      const foreign = desk.foreignProcessor(worker, this.run.batch);
      const sent = { worker: worker.key, outcome, content, foreign };
      const keep = await kind.judge(job, sent);
      // Another result may have arrived meanwhile, or shown that the worker lies.
      if (worker.suspension !== null || !(await this.run.accept(index, worker.key, keep))) return;
      if (foreign !== null) desk.tellForeign(worker);
      worker.failuresInARow = 0;
      worker.acceptedJobs += 1;
      if (outcome.kind === 'shard') {
        worker.acceptedGames += outcome.games.length;
        worker.evaluations += outcome.effort.networkEvaluations;
      }
    } catch (error) {
      if (!(error instanceof Lie)) throw error;
      onMessage(`the worker ${worker.key} has sent ${error.message}, for job ${this.run.batch.ids[index]!}`);
      await this.suspend(worker, error.message);
    }
  }

  /** The content of a result; null if it is missing or has another digest, which counts as a failure of the worker. */
  private async fetch(
    worker: RegisteredWorker,
    ref: JobResultMessage['outcome']['content'],
  ): Promise<Uint8Array | null> {
    const { connection, desk, onMessage } = this.options;
    const { key } = worker;
    for (let tries = 1; ; tries++) {
      try {
        return await getContent(connection.jsm, SHARDS_STREAM, ref, (part) =>
          shardSubject(key, ref.sha256, part),
        );
      } catch (error) {
        const missing = isMissing(error);
        if (missing || tries === MOST_TRIES) {
          onMessage(`cannot fetch a result of the worker ${key}: ${errorText(error)}`);
          if (missing) desk.countFailure(worker, 'a result without its content');
          return null;
        }
        await delay(RETRY_MS);
      }
    }
  }

  /** Describes the worker's shards that earlier generations have learnt from; empty if there are none. */
  private earlierShards(key: string): string {
    const all = this.options.book.shardsOf(key);
    const earlier = all.filter(({ job }) => !this.run.batch.indexOf.has(job));
    const first = Math.min(...earlier.map(({ generation }) => generation ?? 0));
    if (earlier.length === 0) return '';
    return `; ${earlier.length} shards of it were accepted before, the first ones of generation ${first}: they stay (docs/security.md)`;
  }

  /** Suspends a worker that has lied; its jobs of this batch are played again. */
  private async suspend(worker: RegisteredWorker, reason: string): Promise<void> {
    const { book, onMessage } = this.options;
    try {
      await suspendForGood(worker, `it has sent ${reason}`, { book, batch: this.run.batch });
    } finally {
      // Also if the suspension could not be recorded: a resumed run must not find the games.
      const again = await this.takeBack(worker.key);
      onMessage(`suspended the worker ${worker.key}${again}${this.earlierShards(worker.key)}`);
    }
  }

  /** Removes all results of a worker, and describes how many jobs are played again; empty if none are. */
  private async takeBack(key: string): Promise<string> {
    const own = [...this.run.batch.makers].filter(([, maker]) => maker === key).map(([index]) => index);
    for (const index of own) await this.run.reopen(index);
    await purgeWorker(this.options.connection, key);
    return own.length === 0 ? '' : `; ${own.length} of its jobs are played again`;
  }
}
