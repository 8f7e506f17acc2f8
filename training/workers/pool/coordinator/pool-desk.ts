import { countOf } from '../../../../env/text/count-of.js';
import { cleanMessage, visibleText } from '../../../../env/text/quoted-text.js';
import { type ForeignProcessor, type JobBatch } from './job-batch.js';
import { MOST_FAILED_PLAYERS } from './job-ledger.js';
import { MessageQuota } from './message-quota.js';
import type { Msg, NatsConnection, Subscription } from '../wire/nats-library.js';
import {
  Beat,
  Failure,
  type KnownFingerprint,
  parseMessage,
  type TakeAnswer,
  TakeRequest,
  type WorkerIdentity,
  fingerprintKey,
} from '../wire/pool-messages.js';
import { ANY, jobOrVerbOf, keyOf, workerSubject } from '../wire/pool-subjects.js';
import { signerOf } from './message-signer.js';
import type { WorkerBook } from './worker-book.js';
import { canPlay, processorOf, versionProblem } from './worker-versions.js';
import type { RegisteredWorker, WorkerRegister } from './worker-register.js';

/**
 * Answered requests of a batch that are remembered: a duplicate of one gets the same answer, an older one another job.
 */
const MOST_ANSWERS = 20_000;

/** Maximum number of workers that the user is told about, once each. */
const MOST_TOLD = 20_000;

/** Maximum number of fingerprints of a worker that are remembered: a batch has at most two models. */
const MOST_FINGERPRINTS = 16;

/** Jobs at a time of a worker that has had no result accepted yet. */
const UNPROVEN_JOBS = 8;

/** The parts that the desk needs, and the receivers of its reports. */
export interface DeskOptions {
  readonly own: WorkerIdentity;
  readonly register: WorkerRegister;
  readonly book: WorkerBook;
  /** Whether workers with other kernel fingerprints get jobs. */
  readonly anyProcessor: boolean;
  /** The current batch; null between batches. */
  readonly batch: () => JobBatch | null;
  readonly onMessage: (text: string) => void;
}

const WAIT: TakeAnswer = { kind: 'wait' };

function refused(code: string, message: string): TakeAnswer {
  return { kind: 'refused', code, message };
}

/** Remembers a worker's fingerprint of a model, and forgets its oldest one if there are too many. */
function rememberFingerprint({ fingerprints }: RegisteredWorker, model: string, fingerprint: string): void {
  fingerprints.delete(model);
  fingerprints.set(model, fingerprint);
  const [oldest] = fingerprints.keys();
  if (fingerprints.size > MOST_FINGERPRINTS) fingerprints.delete(oldest!);
}

/** Answers the requests of workers: hands out jobs, and notices when a worker has lost one. */
export class PoolDesk {
  private readonly options: DeskOptions;
  /** Answers of `answeredBatch`, by worker and request: duplicates of a request get the same answer. */
  private readonly answers = new Map<string, TakeAnswer>();
  private answeredBatch: JobBatch | null = null;
  private readonly toldOf = new Set<string>();
  private readonly quota = new MessageQuota();

  constructor(options: DeskOptions) {
    // Messages quote texts of workers, which may hold line ends.
    const onMessage = (text: string): void => {
      options.onMessage(visibleText(text));
    };
    this.options = { ...options, onMessage };
  }

  /** Starts answering; unsubscribing ends it. */
  open(nc: NatsConnection): Subscription {
    return nc.subscribe(workerSubject(ANY, ANY), {
      callback: (error, message) => {
        if (error === null) this.receive(message);
      },
    });
  }

  /** Records a tick: workers may send messages again. */
  tick(): void {
    this.quota.tick();
  }

  /** Counts a message of a worker; returns whether it should be read, by its quota. */
  allows({ subject, data }: Pick<Msg, 'subject' | 'data'>): boolean {
    return this.quota.allows(keyOf(subject), data.length);
  }

  /** Tells the user, once for each worker, that its games come from another kind of processor. */
  tellForeign({ key, identity }: RegisteredWorker): void {
    const text = `took games of the worker ${key}, whose processor (${identity.processor}) computes other last bits`;
    this.tellOnce(`foreign ${key}`, `${text}: the run is no longer repeatable to the bit`);
  }

  /** Why a worker gets no jobs, or null; records its identity and fingerprints. */
  admit(
    key: string,
    identity: WorkerIdentity,
    fingerprints: readonly KnownFingerprint[],
  ): RegisteredWorker | TakeAnswer {
    const { own, register, book, onMessage } = this.options;
    const problem = versionProblem(own, identity);
    if (problem !== null) {
      this.tellOnce(key, `refused the worker ${key}: ${problem}`);
      return refused('pool-version', problem);
    }
    const suspension = book.suspensionOf(key);
    if (suspension !== null) return refused('pool-suspended', `this worker is suspended: ${suspension}`);
    const isNew = register.find(key) === null;
    const worker = register.meet(key, identity);
    if (worker === null) return refused('pool-busy', 'expected a pool with room for another worker');
    if (isNew)
      onMessage(`worker ${key} joins: ${countOf(identity.processes, 'process')}, ${identity.processor}`);
    if (worker.suspension !== null)
      return refused('pool-suspended', `this worker is suspended: ${worker.suspension}`);
    for (const { model, fingerprint } of fingerprints)
      rememberFingerprint(worker, fingerprintKey(model === null ? null : { sha256: model }), fingerprint);
    return worker;
  }

  /** Counts a failure of a worker, which may suspend it while this coordinator runs. */
  countFailure(worker: RegisteredWorker, problem: string): void {
    const { register, onMessage } = this.options;
    if (!register.countFailure(worker, problem)) return;
    this.options.batch()?.ledger.releaseAll(worker.key);
    onMessage(`suspended the worker ${worker.key}: ${worker.suspension!}`);
  }

  /**
   * Describes the models of a batch that the worker evaluates differently from this machine; null if there are none.
   */
  foreignProcessor(worker: RegisteredWorker, batch: JobBatch): ForeignProcessor | null {
    const others = batch.models.map(fingerprintKey).flatMap((key) => {
      const fingerprint = worker.fingerprints.get(key);
      return fingerprint === undefined || fingerprint === batch.fingerprints.get(key)
        ? []
        : [{ fingerprint, isPortable: fingerprint === batch.portableFingerprints.get(key) }];
    });
    if (others.length === 0) return null;
    const kernels = others.every(({ isPortable }) => isPortable) ? 'portable' : 'other';
    return { fingerprint: others[0]!.fingerprint, kernels };
  }

  /** Whether results of a worker count in a batch: it has shown all fingerprints, and they are acceptable. */
  mayPlay(worker: RegisteredWorker, batch: JobBatch): boolean {
    if (batch.models.some((model) => !worker.fingerprints.has(fingerprintKey(model)))) return false;
    return this.options.anyProcessor || this.foreignProcessor(worker, batch) === null;
  }

  private receive(message: Msg): void {
    // Checked before the signature, which is the most expensive check: the server lets a worker publish only under its
    // key.
    if (!this.allows(message)) return;
    const key = signerOf(message);
    if (key === null) return;
    const verb = jobOrVerbOf(message.subject);
    if (verb === 'take') {
      const answer = this.answerTake(key, message.data);
      if (answer !== null) message.respond(JSON.stringify(answer));
    } else if (verb === 'beat') this.receiveBeat(key, message.data);
    else if (verb === 'failed') this.receiveFailure(key, message.data);
  }

  private answerTake(key: string, data: Uint8Array): TakeAnswer | null {
    const request = parseMessage(TakeRequest, data);
    if (request === null) {
      return refused('pool-version', `expected a request for a job of gess-zero ${this.options.own.version}`);
    }
    const id = `${key} ${request.nonce}`;
    const before = this.answersNow().get(id);
    if (before !== undefined) return before;
    const answer = this.decide(key, request);
    if (answer.kind === 'job') this.remember(id, answer);
    return answer;
  }

  /** The answers of the current batch. */
  private answersNow(): ReadonlyMap<string, TakeAnswer> {
    const batch = this.options.batch();
    if (batch !== this.answeredBatch) this.answers.clear();
    this.answeredBatch = batch;
    return this.answers;
  }

  private remember(id: string, answer: TakeAnswer): void {
    const oldest = this.answers.keys().next().value;
    if (this.answers.size >= MOST_ANSWERS && oldest !== undefined) this.answers.delete(oldest);
    this.answers.set(id, answer);
  }

  private decide(key: string, { identity, fingerprints }: TakeRequest): TakeAnswer {
    const worker = this.admit(key, identity, fingerprints);
    if ('kind' in worker) return worker;
    const batch = this.options.batch();
    if (batch === null) return WAIT;
    for (const model of batch.models) {
      if (!worker.fingerprints.has(fingerprintKey(model))) return { kind: 'prove', game: batch.game, model };
    }
    if (this.foreignProcessor(worker, batch) !== null && !this.options.anyProcessor) {
      const problem =
        `its processor (${processorOf(identity)}) computes the network's outputs with other last bits ` +
        'than the coordinator: start the coordinator with --any-processor to take it all the same';
      this.tellOnce(key, `refused the worker ${key}: ${problem}`);
      return refused('pool-fingerprint', problem);
    }
    const { ledger, remote, ids } = batch;
    const isNew = worker.acceptedJobs === 0 && !this.options.book.isProven(key);
    if (isNew && ledger.jobsOf(key).length >= UNPROVEN_JOBS) return WAIT;
    // A worker requests its next job before the result of the last one has arrived.
    if (ledger.playedBy(key).length >= 2 * identity.processes + 2) return WAIT;
    const index = ledger.take(
      key,
      (each) => canPlay(identity, remote[each]!) && ledger.failedPlayers(each) < MOST_FAILED_PLAYERS,
    );
    return index === null ? WAIT : { kind: 'job', id: ids[index]!, job: remote[index]! };
  }

  private receiveBeat(key: string, data: Uint8Array): void {
    const beat = parseMessage(Beat, data);
    const worker = this.options.register.find(key);
    if (beat === null || worker === null) return;
    const batch = this.options.batch();
    const running = new Map(beat.jobs.map(({ id, games }) => [id, games]));
    const given = batch?.ledger.playedBy(key).map((index) => batch.ids[index]!) ?? [];
    for (const lost of this.options.register.beat(worker, given, running)) {
      batch!.ledger.release(batch!.indexOf.get(lost)!, key);
    }
    batch?.onProgress();
  }

  private receiveFailure(key: string, data: Uint8Array): void {
    const failure = parseMessage(Failure, data);
    const worker = this.options.register.find(key);
    if (failure === null || worker === null) return;
    const problem = cleanMessage(failure.message);
    const batch = this.options.batch();
    const index = batch?.indexOf.get(failure.id);
    if (batch === null || index === undefined || !batch.ledger.jobsOf(key).includes(index)) return;
    batch.ledger.fail(index, key);
    this.options.onMessage(`a job failed at the worker ${key}: ${problem}`);
    this.countFailure(worker, problem);
  }

  private tellOnce(topic: string, text: string): void {
    if (this.toldOf.has(topic) || this.toldOf.size >= MOST_TOLD) return;
    this.toldOf.add(topic);
    this.options.onMessage(text);
  }
}
