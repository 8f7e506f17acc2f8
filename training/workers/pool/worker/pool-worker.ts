import { errorText } from '../../../../env/text/error-text.js';
import { countOf } from '../../../../env/text/count-of.js';
import { CodedError } from '../../../../env/errors.js';
import { TrainingError } from '../../../training-error.js';
import { putContent } from '../wire/content-stream.js';
import { JetStreamApiError, nuid } from '../wire/nats-library.js';
import { explainConnection, type PoolConnection } from '../wire/pool-connection.js';
import {
  type ContentRef,
  type JobOutcome,
  type KnownFingerprint,
  parseMessage,
  type RemoteJob,
  TakeAnswer,
  type WorkerIdentity,
  fingerprintKey,
} from '../wire/pool-messages.js';
import {
  resultSubject,
  shardSubject,
  type Verb,
  WAKE_SUBJECT,
  workerSubject,
} from '../wire/pool-subjects.js';
import { NO_ROOM, WRONG_LAST_SEQUENCE } from '../wire/server-errors.js';
import { sign } from '../wire/signed-message.js';
import type { JobPlayer } from './job-player.js';
import type { GameIdentity } from '../../../games/game-config.js';

/** Milliseconds between two heartbeats. */
const BEAT_MS = 5000;
/** Milliseconds after which an idle worker asks again without being woken. */
const IDLE_MS = 5000;
const ANSWER_MS = 10_000;

/** Attempts to send a result to a server without room: over five minutes. */
const MOST_TRIES_WITHOUT_ROOM = 60;

/** Settings of a worker. */
export interface PoolWorkerOptions {
  readonly player: JobPlayer;
  readonly identity: WorkerIdentity;
  readonly onMessage: (text: string) => void;
  /** Once aborted, no further job begins; those in progress are finished and sent. */
  readonly signal: AbortSignal;
  readonly beatMs?: number | undefined;
}

/** The counts of a worker's jobs. */
export interface WorkerSummary {
  readonly jobs: number;
  readonly games: number;
}

/** Plays jobs of the coordinator that uses the pool, in Node and in browsers. */
export class PoolWorker {
  private readonly connection: PoolConnection;
  private readonly options: PoolWorkerOptions;
  private readonly player: JobPlayer;
  private readonly identity: WorkerIdentity;
  /** Number of finished games of each job in progress. */
  private readonly running = new Map<string, number>();
  private readonly fingerprints = new Map<string, Promise<KnownFingerprint>>();
  private known: KnownFingerprint[] = [];
  private readonly wakers = new Set<() => void>();
  /** Each ends a wait for an answer of the coordinator. */
  private readonly requestEnders = new Set<() => void>();
  private done = { jobs: 0, games: 0 };
  /** The error that ends the worker before its signal does. */
  private refusal: TrainingError | null = null;

  private constructor(connection: PoolConnection, options: PoolWorkerOptions) {
    this.connection = connection;
    this.options = options;
    this.player = options.player;
    this.identity = options.identity;
  }

  /**
   * Plays until the signal is aborted, as many jobs at a time as the identity has processes.
   *
   * @throws TrainingError `pool-version`, `pool-fingerprint`, `pool-suspended`, `pool-busy` if the coordinator refuses
   *   it; `pool-unreachable`, `pool-refused` if the server ends the connection for good.
   */
  static run(connection: PoolConnection, options: PoolWorkerOptions): Promise<WorkerSummary> {
    return new PoolWorker(connection, options).work();
  }

  private get isStopped(): boolean {
    return this.options.signal.aborted || this.refusal !== null;
  }

  private async work(): Promise<WorkerSummary> {
    const { nc, publicKey } = this.connection;
    const { onMessage, signal, beatMs = BEAT_MS } = this.options;
    const { processes } = this.identity;
    nc.subscribe(WAKE_SUBJECT, {
      callback: () => {
        this.wake();
      },
    });
    signal.addEventListener('abort', () => {
      this.wake();
    });
    void nc.closed().then((error) => {
      const reason = error ?? new Error('the connection is closed');
      this.refusal ??= explainConnection(reason, nc.getServer());
      this.wake();
    });
    const beating = setInterval(() => {
      const jobs = [...this.running].map(([id, games]) => ({ id, games }));
      this.tell('beat', { jobs });
    }, beatMs);
    onMessage(`worker ${publicKey} at ${nc.getServer()}: ${countOf(processes, 'process')}`);
    try {
      await Promise.all(Array.from({ length: processes }, () => this.playLane()));
    } finally {
      clearInterval(beating);
    }
    if (this.refusal !== null) throw this.refusal;
    return this.done;
  }

  private async playLane(): Promise<void> {
    while (!this.isStopped) {
      const answer = await this.ask();
      switch (answer.kind) {
        case 'job':
          await this.playJob(answer.id, answer.job);
          break;
        case 'prove':
          await this.prove(answer);
          break;
        case 'refused':
          this.refusal ??= new TrainingError(refusalCode(answer.code), answer.message);
          this.wake();
          return;
        case 'wait':
          await this.rest();
      }
    }
  }

  /** Asks the coordinator for a job; `wait` if there is none that answers, or if the worker is stopped before. */
  private async ask(): Promise<TakeAnswer> {
    const { nc, signer, publicKey } = this.connection;
    const subject = workerSubject(publicKey, 'take');
    const request = { nonce: nuid.next(), identity: this.identity, fingerprints: this.known };
    const payload = JSON.stringify(request);
    try {
      const headers = sign(signer, subject, payload);
      const answer = await this.unlessStopped(nc.request(subject, payload, { timeout: ANSWER_MS, headers }));
      return (answer && parseMessage(TakeAnswer, answer.data)) ?? { kind: 'wait' };
    } catch {
      // No coordinator listens, or the server is unreachable for now.
      return { kind: 'wait' };
    }
  }

  private async prove({ game, model }: Extract<TakeAnswer, { kind: 'prove' }>): Promise<void> {
    const name = fingerprintKey(model);
    let pending = this.fingerprints.get(name);
    if (pending === undefined) {
      pending = this.takeFingerprint(game, model);
      this.fingerprints.set(name, pending);
    }
    try {
      const fingerprint = await pending;
      if (this.known.includes(fingerprint)) return;
      // Only the newest are sent: those of earlier networks are not requested again.
      this.known = [...this.known.slice(-7), fingerprint];
    } catch (error) {
      this.fingerprints.delete(name);
      this.options.onMessage(`cannot open the network ${name}: ${errorText(error)}`);
      await this.rest();
    }
  }

  private async takeFingerprint(game: GameIdentity, model: ContentRef | null): Promise<KnownFingerprint> {
    const fingerprint = await this.player.fingerprint(game, model);
    return { model: model?.sha256 ?? null, fingerprint };
  }

  private async playJob(id: string, job: RemoteJob): Promise<void> {
    this.running.set(id, 0);
    try {
      const { outcome, content } = await this.player.play(id, job, (games) => {
        this.running.set(id, games);
      });
      await this.send(id, outcome, content);
      this.done = { jobs: this.done.jobs + 1, games: this.done.games + (this.running.get(id) ?? 0) };
    } catch (error) {
      const message = error instanceof CodedError ? `${error.message} [${error.code}]` : String(error);
      this.options.onMessage(`job ${id} failed: ${message}`);
      this.tell('failed', { id, message: message.slice(0, 2000) });
    } finally {
      this.running.delete(id);
    }
  }

  /** Sends a result, and repeats it until the server accepts it. */
  private async send(id: string, outcome: JobOutcome, content: Uint8Array): Promise<void> {
    const { js, signer, publicKey } = this.connection;
    const subject = resultSubject(publicKey, id);
    const payload = JSON.stringify({ identity: this.identity, fingerprints: this.known, outcome });
    for (let withoutRoom = 0; ;) {
      try {
        await putContent(js, content, (part) => shardSubject(publicKey, outcome.content.sha256, part));
        await js.publish(subject, payload, {
          headers: sign(signer, subject, payload),
          expect: { lastSubjectSequence: 0 },
        });
        return;
      } catch (error) {
        if (error instanceof JetStreamApiError && error.code === WRONG_LAST_SEQUENCE) return;
        if (error instanceof JetStreamApiError) {
          if (!NO_ROOM.includes(error.code) || ++withoutRoom > MOST_TRIES_WITHOUT_ROOM) throw error;
          if (withoutRoom === 1)
            this.options.onMessage(`the server has no room for a result: ${error.message}`);
        }
        if (this.connection.nc.isClosed()) throw error;
        // Not `rest`: a stopped worker also waits before it sends again.
        await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
      }
    }
  }

  private tell(verb: Verb, message: object): void {
    const { nc, signer, publicKey } = this.connection;
    const subject = workerSubject(publicKey, verb);
    const payload = JSON.stringify(message);
    if (!nc.isClosed()) nc.publish(subject, payload, { headers: sign(signer, subject, payload) });
  }

  /** Waits until the coordinator wakes the worker, or for some seconds. */
  private rest(): Promise<void> {
    if (this.isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.wakers.delete(end);
        resolve();
      };
      const timer = setTimeout(end, IDLE_MS);
      this.wakers.add(end);
    });
  }

  /** Waits for an answer; null once the worker is stopped, since its server may be silent for long. */
  private unlessStopped<T>(answer: Promise<T>): Promise<T | null> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        resolve(null);
      };
      this.requestEnders.add(end);
      void answer.then(resolve, reject).then(() => this.requestEnders.delete(end));
    });
  }

  /** Ends the rests, and once the worker is stopped also the waits for answers. */
  private wake(): void {
    for (const end of [...this.wakers]) end();
    if (this.isStopped) for (const end of [...this.requestEnders]) end();
  }
}

/** The code of a coordinator's refusal. */
function refusalCode(code: string): 'pool-version' | 'pool-fingerprint' | 'pool-suspended' | 'pool-busy' {
  switch (code) {
    case 'pool-fingerprint':
    case 'pool-suspended':
    case 'pool-busy':
      return code;
    default:
      return 'pool-version';
  }
}
