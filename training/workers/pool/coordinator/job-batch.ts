import type { GameIdentity } from '../../../games/game-config.js';
import type { RunJobOptions } from '../../process-pool.js';
import type { WorkerMethods } from '../../worker-jobs.js';
import type { JobLedger } from './job-ledger.js';
import type { Work } from './rate-meter.js';
import type { ContentRef, JobOutcome, RemoteJob } from '../wire/pool-messages.js';

/** A worker whose networks differ in their last bits from those of this machine. */
export interface ForeignProcessor {
  /** Its kernel fingerprint. */
  readonly fingerprint: string;
  /** `portable`: the kernels of ONNX Runtime's WebAssembly, which this machine also has. */
  readonly kernels: 'portable' | 'other';
}

/** A worker's result of a job, with its content. */
export interface SentOutcome {
  readonly worker: string;
  readonly outcome: JobOutcome;
  readonly content: Uint8Array;
  /** Null if the worker evaluates networks exactly like this machine. */
  readonly foreign: ForeignProcessor | null;
}

/** The methods whose jobs other machines play. */
export type RemoteMethod = 'playShard' | 'playMatch';

/** A kind of job: how this machine plays it, how workers get it, and how their results are judged. */
export interface JobKind<M extends RemoteMethod, Result> {
  readonly method: M;
  readonly outcome: JobOutcome['kind'];
  idOf(job: WorkerMethods[M]['job']): string;
  /** The job, which names files by content; null if only this machine can play it. */
  outgoing(job: WorkerMethods[M]['job']): Promise<RemoteJob | null>;
  maxContentBytes(job: WorkerMethods[M]['job']): number;
  play(job: WorkerMethods[M]['job'], options: RunJobOptions<M>): Promise<Result>;
  /** Judges a worker's result. Returns a function that keeps it. @throws Lie. */
  judge(job: WorkerMethods[M]['job'], sent: SentOutcome): Promise<() => Promise<Result>>;
  /** The games of a result. */
  workOf(result: Result): Work;
  /** Removes a kept result, because the job is reopened. */
  remove(job: WorkerMethods[M]['job']): Promise<void>;
}

/** The jobs in progress, in the form that the messages of workers need. */
export interface JobBatch {
  readonly ledger: JobLedger;
  /** Identity of each job, and the reverse. */
  readonly ids: readonly string[];
  readonly indexOf: ReadonlyMap<string, number>;
  /** Jobs by index; null if only this machine can play the job. */
  readonly remote: readonly (RemoteJob | null)[];
  readonly game: GameIdentity;
  /** Models of the jobs; null stands for jobs without a model. */
  readonly models: readonly (ContentRef | null)[];
  /** Kernel fingerprints of this machine by the model's digest; the empty string stands for no model. */
  readonly fingerprints: ReadonlyMap<string, string>;
  /** The same with ONNX Runtime's WebAssembly; empty if workers with other fingerprints get no jobs. */
  readonly portableFingerprints: ReadonlyMap<string, string>;
  /** The worker that made each accepted job. */
  readonly makers: Map<number, string>;
  readonly onProgress: () => void;
  /** Called with the facts of a finished job. */
  readonly onWork: (work: Work) => void;
}
