import type { GameConfig } from '../../../games/game-config.js';
import type { RunJobOptions } from '../../process-pool.js';
import type { WorkerMethods } from '../../worker-jobs.js';
import type { JobLedger } from './job-ledger.js';
import type { Work } from './rate-meter.js';
import type { ContentRef, JobOutcome, RemoteJob } from '../wire/pool-messages.js';

/** A worker whose networks have other last bits than those of this machine. */
export interface ForeignProcessor {
  /** Its kernel fingerprint. */
  readonly fingerprint: string;
  /** `portable`: those of ONNX Runtime's WebAssembly, which this machine has too. */
  readonly kernels: 'portable' | 'other';
}

/** The files that a worker has sent for a job, with their content. */
export interface SentOutcome {
  readonly worker: string;
  readonly outcome: JobOutcome;
  readonly content: Uint8Array;
  /** Null: the worker evaluates networks as this machine does. */
  readonly foreign: ForeignProcessor | null;
}

/** One kind of job: how this machine plays it, how others get it, and how their results are taken in. */
export interface JobKind<M extends 'playShard' | 'playMatch', Result> {
  readonly method: M;
  readonly outcome: JobOutcome['kind'];
  idOf(job: WorkerMethods[M]['job']): string;
  /** By content; null if only this machine can play it. */
  outgoing(job: WorkerMethods[M]['job']): Promise<RemoteJob | null>;
  maxContentBytes(job: WorkerMethods[M]['job']): number;
  play(job: WorkerMethods[M]['job'], options: RunJobOptions<M>): Promise<Result>;
  /** Judges and keeps what a worker has sent. @throws Lie. */
  takeIn(job: WorkerMethods[M]['job'], sent: SentOutcome): Promise<Result>;
  /** The games of a result. */
  workOf(result: Result): Work;
  /** Removes what was kept: it is to be played again. */
  remove(job: WorkerMethods[M]['job']): Promise<void>;
}

/** The jobs that are played now, as the workers' messages need them. */
export interface JobBatch {
  readonly ledger: JobLedger;
  /** Identity of each job, and the reverse. */
  readonly ids: readonly string[];
  readonly indexOf: ReadonlyMap<string, number>;
  /** By index; null if only this machine can play the job. */
  readonly remote: readonly (RemoteJob | null)[];
  readonly game: Pick<GameConfig, 'id' | 'rules'>;
  /** Models of the jobs; null stands for jobs without one. */
  readonly models: readonly (ContentRef | null)[];
  /** Kernel fingerprints of this machine, by the model's digest; the empty text stands for none. */
  readonly fingerprints: ReadonlyMap<string, string>;
  /** The same with ONNX Runtime's WebAssembly; empty if workers with other fingerprints get no jobs. */
  readonly portableFingerprints: ReadonlyMap<string, string>;
  /** The worker that made each accepted job. */
  readonly makers: Map<number, string>;
  readonly onProgress: () => void;
  /** Called with what a finished job was. */
  readonly onWork: (work: Work) => void;
}

/** Key of a model among fingerprints. */
export function fingerprintKey(model: Pick<ContentRef, 'sha256'> | null): string {
  return model?.sha256 ?? '';
}
